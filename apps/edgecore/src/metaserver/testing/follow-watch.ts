import { get, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

/** A watch that a test reads from. */
export interface FollowedWatch {
  /** The next events, each as `TYPE name resourceVersion`. */
  take(count: number): Promise<readonly string[]>;
}

interface Event {
  readonly type: string;
  readonly object: { readonly metadata: { readonly name: string; readonly resourceVersion: string } };
}

/** Begins a watch; it ends with the test. */
export async function followWatch(url: string): Promise<FollowedWatch> {
  const body = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, resolve).on('error', reject);
  });
  onTestFinished(() => void body.destroy());
  const lines = createInterface({ input: body })[Symbol.asyncIterator]();
  return {
    async take(count) {
      const events: string[] = [];
      while (events.length < count) {
        const line = await lines.next();
        if (line.done) break;
        const { type, object }: Event = JSON.parse(line.value);
        events.push(`${type} ${object.metadata.name} ${object.metadata.resourceVersion}`);
      }
      return events;
    },
  };
}

import type { KubeObject } from '../objects/kube-object.ts';
import type { Change, ChangeType } from '../store/commit-queue.ts';

/** Makes the line of a watch stream for a change once, however many watchers get it. */
export interface EventLines {
  line(change: Change, type: ChangeType): Buffer;
}

/** Lines live as long as the history holds their change. */
export function createEventLines(): EventLines {
  const made = new WeakMap<Change, Map<ChangeType, Buffer>>();
  return {
    line(change, type) {
      const lines = made.get(change) ?? new Map<ChangeType, Buffer>();
      const line = lines.get(type) ?? Buffer.from(eventLine(type, bodySeen(change, type)));
      made.set(change, lines.set(type, line));
      return line;
    },
  };
}

/** One line of a watch stream; `body` is JSON text. */
export function eventLine(type: string, body: string): string {
  return `{"type":"${type}","object":${body}}\n`;
}

/** Anyone who may no longer see an object gets the last state they could see, with the version of the change. */
function bodySeen(change: Change, type: ChangeType): string {
  if (type !== 'DELETED' || change.type === 'DELETED' || !change.previous) return change.body;
  const metadata = { ...change.previous.metadata, resourceVersion: String(change.revision) };
  return JSON.stringify({ ...change.previous, metadata });
}

/** Whether a watcher cares about an object in this state. */
type ObjectTest = (object: KubeObject) => boolean;

/**
 * What a change looks like to someone who sees only the objects that pass the test:
 * an object that stops passing is deleted for them, one that starts passing is new.
 */
export function typeSeen(change: Change, passes: ObjectTest): ChangeType | undefined {
  const before = change.previous !== undefined && passes(change.previous);
  const after = change.type !== 'DELETED' && passes(change.object);
  if (after) return before ? 'MODIFIED' : 'ADDED';
  return before ? 'DELETED' : undefined;
}

import type { ServerResponse } from 'node:http';
import type { WatchEvent } from './watch-events.ts';

/** A follower this far behind is cut off: it lists again when it is ready. */
const UNREAD_LIMIT_BYTES = 8 * 1024 * 1024;

/** The lines of a watch on their way to its follower. */
export interface WatchStream {
  /** Adds an event behind all others. */
  write(event: WatchEvent): void;
  /** Ends the answer; a follower that has not even read its beginning is cut off. */
  end(): void;
}

/**
 * Begins to stream. What a watch begins with may be large and is written no faster than it is read; only what comes
 * after counts as unread.
 */
export function watchStream(response: ServerResponse, begin: readonly WatchEvent[]): WatchStream {
  const early: string[] = [];
  let earlyBytes = 0;
  let hasBegun = false;
  const add = (line: string): void => {
    if (hasBegun) return void response.write(line);
    early.push(line);
    earlyBytes += Buffer.byteLength(line);
  };
  const writeBeginning = async (): Promise<void> => {
    await writeAsRead(response, begin);
    hasBegun = true;
    if (isOpen(response)) for (const line of early.splice(0)) response.write(line);
  };
  void writeBeginning();
  return {
    write(event) {
      if (!isOpen(response)) return;
      add(lineOf(event));
      if ((hasBegun ? response.writableLength : earlyBytes) > UNREAD_LIMIT_BYTES) response.destroy();
    },
    end: () => void (hasBegun ? response.end() : response.destroy()),
  };
}

async function writeAsRead(response: ServerResponse, events: readonly WatchEvent[]): Promise<void> {
  for (const event of events) {
    if (!isOpen(response)) return;
    if (!response.write(lineOf(event))) await drained(response);
  }
}

async function drained(response: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  response.once('drain', resolve).once('close', resolve);
  await promise;
  response.off('drain', resolve).off('close', resolve);
}

function isOpen({ writableEnded, destroyed }: ServerResponse): boolean {
  return !writableEnded && !destroyed;
}

function lineOf(event: WatchEvent): string {
  return `${JSON.stringify(event)}\n`;
}

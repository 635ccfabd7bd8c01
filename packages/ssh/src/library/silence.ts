import { Socket } from 'node:net';
import type { Way } from './open-socket.ts';

const LOOKS_PER_LIMIT = 4;

/**
 * Calls `fallenSilent` when nothing has come from the other side, nor been taken by it, for the whole limit. A link that
 * is busy with much data answers late, and yet is not lost: so it is bytes that count, not answers.
 */
export function watchSilence(way: Way, limitMs: number, fallenSilent: () => void): () => void {
  let heard = performance.now();
  let sent = sentBy(way);
  let waiting = false;
  const listen = (): void => void (heard = performance.now());
  way.on('data', listen);
  const timer = setInterval(() => {
    // While more waits than the system takes, it takes only as much as the other side has taken from it.
    if (waiting && sentBy(way) !== sent) listen();
    sent = sentBy(way);
    waiting = way.writableLength > 0;
    if (performance.now() - heard >= limitMs) fallenSilent();
  }, limitMs / LOOKS_PER_LIMIT);
  timer.unref();
  return () => {
    clearInterval(timer);
    way.off('data', listen);
  };
}

/** What the system has taken over from us. */
function sentBy(way: Way): number {
  return way instanceof Socket ? way.bytesWritten - way.writableLength : 0;
}

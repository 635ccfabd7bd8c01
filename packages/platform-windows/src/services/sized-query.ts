import type { Native } from '../native.ts';
import { WIN32, win32Error } from '../win32-error.ts';

/** A call that says how many bytes it needs, then fills a buffer of that size. */
export type SizedCall = (buffer: Buffer | null, size: number, needed: [number]) => number;

/** What the call wrote; `undefined` where this system does not know the level that was asked for. */
export function sizedQuery(native: Native, call: SizedCall, action: string): Buffer | undefined {
  const needed: [number] = [0];
  let buffer = Buffer.alloc(256);
  while (call(buffer, buffer.length, needed) === 0) {
    const error = native.kernel32.GetLastError();
    if (error === WIN32.INVALID_LEVEL) return undefined;
    const grows = needed[0] > buffer.length;
    if (!grows || (error !== WIN32.INSUFFICIENT_BUFFER && error !== WIN32.MORE_DATA)) throw win32Error(error, action);
    buffer = Buffer.alloc(needed[0]);
  }
  return buffer;
}

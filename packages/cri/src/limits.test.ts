import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { deadline, heartbeat } from './limits.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = async (): Promise<never> => new Promise(() => undefined);
const refuse = async (): Promise<never> => Promise.reject(new Error('refused'));
const HALF_A_MINUTE = 30_000;

test('a deadline fires when the time is up, and not after its release', () => {
  const { signal } = new AbortController();
  const [kept, released] = [deadline(1000, signal), deadline(1000, signal)];
  vi.advanceTimersByTime(999);
  expect(kept.signal.aborted).toBe(false);
  released.release();
  vi.advanceTimersByTime(1);
  expect(kept.signal.reason).toMatchObject({ name: 'TimeoutError' });
  expect(released.signal.aborted).toBe(false);
});

test('a deadline fires with the given signal, and for its reason, also if that has fired before', () => {
  const controller = new AbortController();
  const limit = deadline(1000, controller.signal);
  controller.abort('enough');
  expect(limit.signal.reason).toBe('enough');
  expect(deadline(1000, controller.signal).signal.reason).toBe('enough');
});

test('a heartbeat lets a call go on for hours while the server answers', async () => {
  const ask = vi.fn(async () => 'answer');
  const limit = heartbeat(ask, new AbortController().signal);
  await vi.advanceTimersByTimeAsync(120 * HALF_A_MINUTE);
  expect(limit.signal.aborted).toBe(false);
  expect(ask).toHaveBeenCalledTimes(120);
  limit.release();
  await vi.advanceTimersByTimeAsync(10 * HALF_A_MINUTE);
  expect(ask).toHaveBeenCalledTimes(120);
});

test('a heartbeat fires when the server does not answer for half a minute', async () => {
  const limit = heartbeat(async (signal) => Promise.race([never(), aborted(signal)]), new AbortController().signal);
  await vi.advanceTimersByTimeAsync(2 * HALF_A_MINUTE - 1);
  expect(limit.signal.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(limit.signal.reason).toMatchObject({ name: 'TimeoutError' });
});

test('a server that refuses to answer is there, and a connection that breaks ends the call by itself', async () => {
  const limit = heartbeat(refuse, new AbortController().signal);
  await vi.advanceTimersByTimeAsync(10 * HALF_A_MINUTE);
  expect(limit.signal.aborted).toBe(false);
  limit.release();
});

async function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
}

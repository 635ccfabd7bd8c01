import { expect, test } from 'vitest';
import { nextPause, pause, untilFired, waitUntil } from './waiting.ts';

test('waitUntil asks until the answer is yes, at once or in time', async () => {
  const answers = [false, false, true];
  await waitUntil('waiting for an answer', () => answers.shift() ?? false, AbortSignal.timeout(5_000));
  await waitUntil('waiting for an answer', async () => true, AbortSignal.timeout(5_000));
  expect(answers).toEqual([]);
});

test('nextPause grows with the time that was waited, within limits', () => {
  expect([0, 80, 400, 60_000].map((waitedMs) => nextPause(waitedMs, 50))).toEqual([5, 10, 50, 50]);
});

test('waitUntil is interrupted by a signal that someone fired, without waiting for the next look', async () => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 5);
  await expect(waitUntil('waiting for Godot', () => false, controller.signal)).rejects.toMatchObject({
    code: 'INTERRUPTED',
    message: 'Interrupted while waiting for Godot',
  });
});

test('waitUntil does not even look once the signal has fired', async () => {
  let looks = 0;
  const look = (): boolean => (looks += 1) > 0;
  await expect(waitUntil('waiting', look, AbortSignal.abort())).rejects.toMatchObject({ code: 'INTERRUPTED' });
  expect(looks).toBe(0);
});

test('a signal that is a timeout is distinguished', async () => {
  await expect(pause(5_000, 'waiting for Godot', AbortSignal.timeout(5))).rejects.toMatchObject({
    code: 'TIMED_OUT',
    message: 'Ran out of time while waiting for Godot',
  });
});

test('untilFired resolves when the signal fires, and at once if it has', async () => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 5);
  await untilFired(controller.signal);
  await untilFired(controller.signal);
});

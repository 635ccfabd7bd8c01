import { expect, test } from 'vitest';
import { waitFor } from './waiting.ts';

test('waitFor returns the first answer', async () => {
  const answers = [undefined, undefined, 'yes'];
  await expect(waitFor(() => answers.shift(), 'an answer', AbortSignal.timeout(5000))).resolves.toBe('yes');
});

test('waitFor is interrupted by a signal that somebody fired', async () => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 5);
  await expect(waitFor(() => undefined, 'Godot', controller.signal)).rejects.toMatchObject({
    code: 'INTERRUPTED',
    message: 'Interrupted while waiting for Godot',
  });
});

test('waitFor times out when the signal is a timeout', async () => {
  await expect(waitFor(() => undefined, 'Godot', AbortSignal.timeout(5))).rejects.toMatchObject({
    code: 'TIMED_OUT',
    message: 'Gave up waiting for Godot',
  });
});

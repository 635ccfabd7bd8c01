import { expect, test } from 'vitest';
import { mustRun, runCommand } from './command.ts';

const { signal } = new AbortController();

test('runCommand returns output and exit code, also of a command that fails', async () => {
  const result = await runCommand(['bash', '-c', 'echo out; echo err >&2; exit 7'], {}, signal);
  expect(result).toEqual({ exitCode: 7, stdout: 'out\n', stderr: 'err\n' });
});

test('a death by signal has the exit code that a shell gives it', async () => {
  expect((await runCommand(['bash', '-c', 'kill -9 $$'], {}, signal)).exitCode).toBe(137);
});

test('runCommand ends a command that takes too long, with all it started', async () => {
  const argv = ['bash', '-c', 'echo $$; sleep 60 & wait'];
  const error = await runCommand(argv, { timeoutMs: 300 }, signal).catch((caught: unknown) => caught);
  expect(error).toMatchObject({ code: 'TIMED_OUT', hint: expect.stringMatching(/\d+/) });
});

test('runCommand does not wait for a daemon that holds its output open', async () => {
  const begin = performance.now();
  expect((await runCommand(['bash', '-c', 'sleep 5 & echo started'], {}, signal)).stdout).toBe('started\n');
  expect(performance.now() - begin).toBeLessThan(3000);
});

test('runCommand stops when its signal fires', async () => {
  await expect(runCommand(['sleep', '60'], {}, AbortSignal.timeout(100))).rejects.toMatchObject({
    code: 'INTERRUPTED',
  });
});

test('mustRun shows what a failing command said', async () => {
  const reported = { code: 'COMMAND_FAILED', hint: expect.stringContaining('no luck') };
  await expect(mustRun(['bash', '-c', 'echo no luck; exit 1'], {}, signal)).rejects.toMatchObject(reported);
});

test('a program that is not there is a clear error', async () => {
  await expect(runCommand(['no-such-program'], {}, signal)).rejects.toMatchObject({ code: 'COMMAND_FAILED' });
});

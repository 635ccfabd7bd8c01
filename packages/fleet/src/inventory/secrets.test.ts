import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isSecretName, openSecrets, parseSecret, type SecretStore } from './secrets.ts';
import { pathsFrom } from './settings/paths.ts';

let folder = '';
let secrets: SecretStore;
const { signal } = new AbortController();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'secrets-'));
  const variables = { SET: 'from the environment', EMPTY: '', HOME: folder };
  secrets = openSecrets({ variables }, pathsFrom(folder, variables));
});
afterEach(async () => rm(folder, { recursive: true }));

test.each([
  ['env:NAME', { from: 'env', name: 'NAME' }],
  ['file:~/x y', { from: 'file', path: '~/x y' }],
  ['command:pass show "the node"', { from: 'command', words: ['pass', 'show', 'the node'] }],
  ['hunter2', { from: 'text', value: 'hunter2' }],
  ['clear:env:NAME', { from: 'text', value: 'env:NAME' }],
  ['env:', { problem: 'names no environment variable: write "env:NAME"' }],
  ['env:A B', { problem: 'names no environment variable: write "env:NAME"' }],
  ['file:', { problem: 'names no file: write "file:PATH"' }],
  ['command:', { problem: 'names no command: write "command:PROGRAM ARGUMENT …"' }],
  ['command:cat x | head', { problem: expect.stringContaining('not interpreted by a shell') }],
])('%j is read', (written, secret) => {
  expect(parseSecret(written)).toEqual(secret);
});

test('a secret comes from the environment, a file or a command, without the line break at its end', async () => {
  await writeFile(join(folder, 'secret'), 'from a file\n');
  expect(await secrets({ from: 'env', name: 'SET' }, signal)).toBe('from the environment');
  expect(await secrets({ from: 'file', path: 'secret' }, signal)).toBe('from a file');
  expect(await secrets({ from: 'file', path: '~/secret' }, signal)).toBe('from a file');
  expect(await secrets({ from: 'command', words: ['cat', 'secret'] }, signal)).toBe('from a file');
  expect(await secrets({ from: 'text', value: 'clear' }, signal)).toBe('clear');
});

test.each([
  [{ from: 'env', name: 'UNSET' }, 'the environment variable "UNSET" is not set'],
  [{ from: 'env', name: 'EMPTY' }, 'the environment variable "EMPTY" is not set'],
  [{ from: 'file', path: 'missing' }, 'cannot be read (ENOENT)'],
  [{ from: 'command', words: ['no-such-program'] }, 'the command "no-such-program" failed (ENOENT)'],
  [{ from: 'command', words: ['false'] }, 'the command "false" failed (exit code 1)'],
  [{ from: 'command', words: ['true'] }, 'the command "true" printed nothing'],
] as const)('%j is not there: %s', async (secret, reason) => {
  const failure = { code: 'SECRET_UNAVAILABLE', message: expect.stringContaining(reason) };
  await expect(secrets(secret, signal)).rejects.toMatchObject(failure);
});

test('the output of a failing command is not shown', async () => {
  const script = join(folder, 'leak');
  await writeFile(script, '#!/bin/sh\necho hunter2\necho hunter2 >&2\nexit 3\n');
  await chmod(script, 0o700);
  const error: unknown = await secrets({ from: 'command', words: [script] }, signal).catch((cause: unknown) => cause);
  expect(error).toMatchObject({ message: expect.stringContaining('exit code 3'), cause: undefined });
  expect(String(error instanceof Error && error.stack)).not.toContain('hunter2');
});

test('a thousand nodes that need the same secret ask for it once; one that gives up does not harm the others', async () => {
  const words = ['sh', '-c', 'echo x >> asked; sleep 0.1; cat asked'];
  const impatient = new AbortController();
  const asked = Array.from({ length: 1000 }, async () => secrets({ from: 'command', words }, signal));
  const gone = secrets({ from: 'command', words }, impatient.signal);
  impatient.abort(new Error('too long'));
  await expect(gone).rejects.toThrow('too long');
  expect(new Set(await Promise.all(asked))).toEqual(new Set(['x']));
});

test('what failed is asked for again', async () => {
  const secret = { from: 'file', path: 'later' } as const;
  await expect(secrets(secret, signal)).rejects.toThrow('later');
  await writeFile(join(folder, 'later'), 'now');
  expect(await secrets(secret, signal)).toBe('now');
});

test.each([
  ['token', true],
  ['joinToken', true],
  ['--registry-passwd', true],
  ['SECRET_KEY', true],
  ['tokenFile', false],
  ['password-stdin', false],
  ['cloud', false],
])('%s is a secret: %s', (name, secret) => {
  expect(isSecretName(name)).toBe(secret);
});

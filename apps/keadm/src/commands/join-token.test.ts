import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readToken } from './join-token.ts';

function source(variables: Readonly<Record<string, string>> = {}) {
  const written = { err: '' };
  const terminal = { out: () => {}, err: (text: string) => void (written.err += text) };
  return { written, environment: { variables, readInput: async () => ' typed\n', terminal } };
}

test('readToken takes a flag, and says that the process list shows it, without showing it', async () => {
  const { written, environment } = source({ KEADM_TOKEN: 'variable' });
  expect(await readToken(environment, { token: 'secret-flag' })).toBe('secret-flag');
  expect(written.err).toContain('process list');
  expect(written.err).not.toContain('secret-flag');
});

test('readToken takes standard input, a file or a variable without a word', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'token-'));
  const tokenFile = join(folder, 'token');
  await writeFile(tokenFile, 'filed\n', { mode: 0o600 });
  const { written, environment } = source({ KEADM_TOKEN: 'variable' });
  expect(await readToken(environment, { token: '-' })).toBe('typed');
  expect(await readToken(environment, { tokenFile })).toBe('filed');
  expect(await readToken(environment, {})).toBe('variable');
  expect(await readToken(source().environment, {})).toBeUndefined();
  expect(written.err).toBe('');
  await rm(folder, { recursive: true });
});

test('readToken refuses two tokens, and a file that is not there', async () => {
  const { environment } = source();
  const both = readToken(environment, { token: 'a', tokenFile: 'b' });
  await expect(both).rejects.toMatchObject({ code: 'USAGE' });
  const absent = readToken(environment, { tokenFile: '/no/such/file' });
  await expect(absent).rejects.toMatchObject({ code: 'PATH_NOT_FOUND' });
});

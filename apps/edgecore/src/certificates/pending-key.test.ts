import { mkdtempSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { posixFileStore } from '@fenestra/platform-linux';
import { expect, test } from 'vitest';
import { pendingKey } from './pending-key.ts';

function place() {
  const folder = join(mkdtempSync(join(tmpdir(), 'pending-')), 'certs');
  const keyFile = join(folder, 'server.key');
  return { folder, file: `${keyFile}.pending`, open: () => pendingKey(keyFile, posixFileStore()) };
}

test('a token has one key, which outlives the agent in a private file that does not hold the token', async () => {
  const { file, open } = place();
  const key = await open().keyFor('my token');
  expect(await open().keyFor('my token')).toBe(key);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).not.toContain('my token');
});

test('another token has another key, and a file nobody can read is replaced', async () => {
  const { file, open } = place();
  const key = await open().keyFor('one');
  expect(await open().keyFor('two')).not.toBe(key);
  writeFileSync(file, '{"tokenHash":');
  const fresh = await open().keyFor('two');
  expect(await open().keyFor('two')).toBe(fresh);
});

test('a key that is forgotten leaves nothing behind', async () => {
  const { folder, open } = place();
  const pending = open();
  const key = await pending.keyFor('one');
  await pending.forget();
  await pending.forget();
  expect(readdirSync(folder)).toEqual([]);
  expect(await pending.keyFor('one')).not.toBe(key);
});

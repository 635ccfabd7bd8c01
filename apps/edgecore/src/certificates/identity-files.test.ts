import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileStore } from '@fenestra/platform';
import { posixFileStore } from '@fenestra/platform-linux';
import { expect, test } from 'vitest';
import { identityFiles, pendingKey } from './identity-files.ts';

const OLD = { ca: 'old ca', certificate: 'old certificate', key: 'old key' };
const NEW = { ca: 'new ca', certificate: 'new certificate', key: 'new key' };

function paths() {
  const folder = mkdtempSync(join(tmpdir(), 'identity-'));
  return {
    folder,
    caFile: join(folder, 'ca', 'rootCA.crt'),
    certificateFile: join(folder, 'certs', 'server.crt'),
    keyFile: join(folder, 'certs', 'server.key'),
  };
}

/** The real store, in a process that is killed before its n-th change. */
function killedAt(count: number): FileStore {
  const files = posixFileStore();
  let left = count;
  const step = async <T>(work: () => Promise<T>): Promise<T> => {
    if (left === 0) throw new Error('killed');
    left -= 1;
    return work();
  };
  return {
    ...files,
    replace: async (...args) => step(async () => files.replace(...args)),
    removeTree: async (...args) => step(async () => files.removeTree(...args)),
  };
}

test('nothing there is no identity', async () => {
  expect(await identityFiles(paths(), posixFileStore()).load()).toBeUndefined();
});

test('what is saved is loaded, private, with nothing left beside it', async () => {
  const target = paths();
  await identityFiles(target, posixFileStore()).save(NEW);
  expect(await identityFiles(target, posixFileStore()).load()).toEqual(NEW);
  expect(readdirSync(join(target.folder, 'certs')).toSorted()).toEqual(['server.crt', 'server.key']);
  expect(statSync(target.keyFile).mode & 0o777).toBe(0o600);
});

test.each([0, 1, 2, 3, 4, 5])(
  'killed before change %i of an exchange, the old or the new identity is there, whole',
  async (count) => {
    const target = paths();
    await identityFiles(target, posixFileStore()).save(OLD);
    await identityFiles(target, killedAt(count))
      .save(NEW)
      .catch(() => undefined);
    // The recovery may be killed too, at any of its changes.
    for (const again of [0, 1, 2])
      await identityFiles(target, killedAt(again))
        .load()
        .catch(() => undefined);
    expect(await identityFiles(target, posixFileStore()).load()).toEqual(count === 0 ? OLD : NEW);
    expect(readdirSync(join(target.folder, 'certs')).toSorted()).toEqual(['server.crt', 'server.key']);
  },
);

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

test('another token has another key, and a file no one can read is replaced', async () => {
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

import { mkdtempSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileStore } from '@fenestra/platform';
import { posixFileStore } from '@fenestra/platform-linux';
import { expect, test } from 'vitest';
import { identityFiles } from './identity-files.ts';

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
  const place = paths();
  await identityFiles(place, posixFileStore()).save(NEW);
  expect(await identityFiles(place, posixFileStore()).load()).toEqual(NEW);
  expect(readdirSync(join(place.folder, 'certs')).toSorted()).toEqual(['server.crt', 'server.key']);
  expect(statSync(place.keyFile).mode & 0o777).toBe(0o600);
});

test.each([0, 1, 2, 3, 4, 5])(
  'killed before change %i of an exchange, the old or the new identity is there, whole',
  async (count) => {
    const place = paths();
    await identityFiles(place, posixFileStore()).save(OLD);
    await identityFiles(place, killedAt(count))
      .save(NEW)
      .catch(() => undefined);
    // The recovery may be killed too, at any of its own changes.
    for (const again of [0, 1, 2])
      await identityFiles(place, killedAt(again))
        .load()
        .catch(() => undefined);
    expect(await identityFiles(place, posixFileStore()).load()).toEqual(count === 0 ? OLD : NEW);
    expect(readdirSync(join(place.folder, 'certs')).toSorted()).toEqual(['server.crt', 'server.key']);
  },
);

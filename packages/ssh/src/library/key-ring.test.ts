import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ssh2 from 'ssh2';
import { expect, test } from 'vitest';
import { keyRing } from './key-ring.ts';

test('a key is opened once, however many ask; one that could not be read is read again', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'key');
  const keys = keyRing();
  await writeFile(path, 'not a key');
  expect(await keys.read(path, 'phrase')).toBe('cannot be opened with its passphrase');

  const options = { passphrase: 'phrase', cipher: 'aes256-ctr', rounds: 1 };
  await writeFile(path, ssh2.utils.generateKeyPairSync('ed25519', options).private);
  expect(await keys.read(path, 'other')).toBe('has another passphrase');
  const [first, second] = await Promise.all([keys.read(path, 'phrase'), keys.read(path, 'phrase')]);
  expect(first).toMatchObject({ type: 'ssh-ed25519' });
  expect(second).toBe(first);
  expect(await keys.read(path, 'phrase')).toBe(first);
  expect(await keys.read(path, 'other')).toBe('has another passphrase');
});

async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'key-ring-'));
  return { path, [Symbol.asyncDispose]: async () => rm(path, { recursive: true }) };
}

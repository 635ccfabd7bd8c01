import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isFidoKeyFile } from './foreign-keys.ts';
import { privateKeyFile, publicKeyBlob } from './testing/key-files.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fenestra-fido-'));
});
afterAll(async () => rm(folder, { recursive: true }));

test.each([
  ['sk-ssh-ed25519@openssh.com', true],
  ['sk-ecdsa-sha2-nistp256@openssh.com', true],
  ['ssh-ed25519', false],
])('a private key of type %s: %s', async (type, isFido) => {
  const path = join(folder, type);
  await writeFile(path, privateKeyFile(type));
  expect(await isFidoKeyFile(path)).toBe(isFido);
});

test('the public part beside it tells as well', async () => {
  const path = join(folder, 'odd');
  await writeFile(path, 'not a key that we could read');
  expect(await isFidoKeyFile(path)).toBe(false);
  const type = 'sk-ssh-ed25519@openssh.com';
  await writeFile(`${path}.pub`, `${type} ${publicKeyBlob(type).toString('base64')} me@here\n`);
  expect(await isFidoKeyFile(path)).toBe(true);
});

test('what is cut off, or not there, is none', async () => {
  const path = join(folder, 'short');
  const whole = privateKeyFile('sk-ssh-ed25519@openssh.com');
  for (const length of [0, 60, 64, 72, 80]) {
    await writeFile(path, `${whole.slice(0, length)}\n-----END OPENSSH PRIVATE KEY-----\n`);
    expect(await isFidoKeyFile(path)).toBe(false);
  }
  expect(await isFidoKeyFile(join(folder, 'none'))).toBe(false);
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ssh2 from 'ssh2';
import { expect, test } from 'vitest';
import { type AuthAttempt, authOrder, keyRing } from './auth.ts';

const password = attempt('password');
const key = attempt('publickey');

test('each way is tried once, in the given order', () => {
  const order = authOrder([key, password]);
  expect(order.next(undefined, false)).toBe(key);
  expect(order.next(['publickey', 'password'], false)).toBe(password);
  expect(order.next(['publickey', 'password'], false)).toBeUndefined();
  expect(order.tried()).toEqual(['publickey', 'password']);
});

test('a guess that the machine did not ask for is kept for later', () => {
  const order = authOrder([password, key]);
  expect(order.next(undefined, false)).toBe(password);
  expect(order.next(['publickey'], false)).toBe(key);
  expect(order.next(['password'], true)).toBe(password);
  expect(order.tried()).toEqual(['publickey', 'password']);
});

test('a guess that was half of what is wanted is not given again', () => {
  const order = authOrder([key, password]);
  expect(order.next(undefined, false)).toBe(key);
  expect(order.next(['password'], true)).toBe(password);
  expect(order.next(['publickey', 'password'], false)).toBeUndefined();
});

test('what the machine never asks for is distinguished', () => {
  const order = authOrder([key, password]);
  order.next(undefined, false);
  expect(order.next(['publickey'], false)).toBeUndefined();
  expect(order.untried()).toEqual(['password']);
  expect(order.offered()).toEqual(['publickey']);
});

function attempt(method: 'password' | 'publickey'): AuthAttempt {
  return { method, label: method, auth: { type: 'none', username: 'me' } };
}

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

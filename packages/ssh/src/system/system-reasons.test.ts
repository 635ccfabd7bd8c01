import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperatorError, type OperatorErrorOptions } from '@fenestra/kernel';
import type { RemoteTarget } from '@fenestra/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { foreignKeys, isForeignType } from './foreign-keys.ts';
import { ownSettingsBook } from './own-settings.ts';
import { type SystemReasons, systemReasons } from './system-reasons.ts';
import { privateKeyFile } from './testing/key-files.ts';

const FIDO = 'does not support FIDO keys';
let folder = '';
let reasons: SystemReasons;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fenestra-reasons-'));
  await writeFile(join(folder, 'plain'), privateKeyFile('ssh-ed25519'));
  await writeFile(join(folder, 'fido'), privateKeyFile('sk-ssh-ed25519@openssh.com'));
  // In the place of ssh: for it the machine has another name, and GSSAPI is allowed.
  const program = join(folder, 'ssh');
  await writeFile(program, '#!/bin/sh\necho hostname 10.0.0.7\necho gssapiauthentication yes\n', { mode: 0o700 });
  await writeFile(join(folder, 'config'), 'Host *\n  HostName 10.0.0.7\n  GSSAPIAuthentication yes\n');
  const places = { program, includes: [join(folder, 'config')], temporaryFolder: folder };
  reasons = systemReasons({ settings: ownSettingsBook(places), keys: foreignKeys() });
});
afterAll(async () => rm(folder, { recursive: true }));

function target(change: Partial<RemoteTarget> = {}): RemoteTarget {
  return {
    name: 'edge',
    host: 'edge.example',
    port: 22,
    user: 'admin',
    auth: [key('plain')],
    hostKeys: [],
    jumps: [],
    transport: 'auto',
    limits: { connectSeconds: 5, idleTimeoutSeconds: 30 },
    ...change,
  };
}

function key(name: string) {
  return { kind: 'key' as const, path: join(folder, name) };
}

test('a plain key goes by the library', async () => {
  expect(await reasons.before(target())).toBeUndefined();
  expect(await reasons.before(target({ auth: [key('none there')] }))).toBeUndefined();
});

test.each(['auto', 'library'] as const)('a key of a FIDO device that the file names: %s', async (transport) => {
  const password = { kind: 'password', password: 'x' } as const;
  expect(await reasons.before(target({ transport, auth: [password, key('fido')] }))).toContain(FIDO);
  expect(await reasons.before(target({ jumps: [target({ transport, auth: [key('fido')] })] }))).toContain(FIDO);
});

test('one that is only there counts if there is nothing else, or nothing else is let in', async () => {
  const usual = target({ usualAuth: true, auth: [key('plain'), key('fido')] });
  expect(await reasons.before(usual)).toBeUndefined();
  expect(await reasons.after(usual, failure('REMOTE_AUTH'))).toContain(FIDO);
  expect(await reasons.before(target({ usualAuth: true, auth: [key('fido')] }))).toContain(FIDO);
  expect(await reasons.before(target({ usualAuth: true, auth: [] }))).toContain('neither an agent nor a key');
});

test('no one is tried twice with a password, nor where the file says so', async () => {
  const password = { kind: 'password', password: 'x' } as const;
  const jumps = [target({ auth: [password] })];
  for (const change of [{ transport: 'library' as const }, { jumps }])
    expect(
      await reasons.after(
        target({ usualAuth: true, auth: [key('plain'), key('fido')], ...change }),
        failure('REMOTE_AUTH'),
      ),
    ).toBeUndefined();
});

test('a machine that speaks nothing the library knows is tried by ssh, unless the file says otherwise', async () => {
  expect(await reasons.after(target(), failure('REMOTE_UNSUPPORTED'))).toContain('algorithm');
  expect(await reasons.after(target({ transport: 'library' }), failure('REMOTE_UNSUPPORTED'))).toBeUndefined();
  expect(await reasons.after(target(), failure('REMOTE_LOST'))).toBeUndefined();
  expect(await reasons.after(target(), new Error('a bug'))).toBeUndefined();
});

test.each([
  ['publickey, gssapi-with-mic', true],
  ['publickey, password', false],
  [undefined, true],
])('GSSAPI is tried unless the machine has said that it does not take it: %s', async (offered, isTried) => {
  const refused = failure('REMOTE_AUTH', { details: offered === undefined ? {} : { offered } });
  const reason = await reasons.after(target({ usualAuth: true }), refused);
  expect(reason).toBe(isTried ? 'its own settings allow GSSAPI' : undefined);
  expect(await reasons.after(target(), refused)).toBeUndefined();
});

test.each([
  ['ENOTFOUND', true],
  ['EAI_AGAIN', true],
  ['ECONNREFUSED', false],
  ['EHOSTUNREACH', false],
])('another name is tried only where no one here knows the first one: %s', async (code, isTried) => {
  const cause = Object.assign(new Error('getaddrinfo or connect'), { code });
  const reason = await reasons.after(target(), failure('REMOTE_UNREACHABLE', { cause }));
  expect(reason).toBe(isTried ? 'its own settings have "10.0.0.7" for "edge.example"' : undefined);
});

test.each([
  ['ssh-ed25519', false],
  ['sk-ssh-ed25519@openssh.com', true],
  ['ssh-rsa-cert-v01@openssh.com', true],
])('a key of type %s in an agent is foreign to the library: %s', (type, isForeign) => {
  expect(isForeignType(type)).toBe(isForeign);
});

function failure(code: OperatorError['code'], more: Partial<OperatorErrorOptions> = {}): OperatorError {
  return new OperatorError(code, 'It failed', { hint: 'Fix it.', ...more });
}

/** GSSAPI, which only the system's ssh can do: a real Kerberos realm, a ticket, and an sshd that takes it. */
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { RemoteAuth, RemoteTarget } from '@fenestra/platform';
import { remoteHosts } from '@fenestra/ssh';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { mustRun } from '../../support/beds/command.ts';
import { type SshdBed, startSshd } from '../../support/beds/sshd-bed.ts';
import { type KerberosRealm, startKerberosRealm } from './kerberos-realm.ts';
import { targetFor } from './ssh-contract-bed.ts';

const { signal } = new AbortController();
const SERVER = ['GSSAPIAuthentication yes', 'GSSAPIStrictAcceptorCheck no'];
let realm: KerberosRealm;
let sshd: SshdBed;

beforeAll(async () => {
  realm = await startKerberosRealm(userInfo().username, signal);
  for (const [name, value] of Object.entries(realm.env)) vi.stubEnv(name, value);
  sshd = await startSshd({ machines: 1, listen: ['127.0.0.1', '::1'], extraConfig: SERVER }, signal);
  const [type, key] = (await readFile(sshd.hostKey, 'utf8')).split(' ');
  await appendFile(sshd.knownHosts, `[localhost]:${sshd.machines[0]?.port} ${type} ${key}\n`);
  await mustRun(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', file('strange')], {}, signal);
  await writeFile(file('config'), 'Host localhost\n  GSSAPIAuthentication yes\n');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await sshd.stop();
  await realm.stop();
});

test('a ticket is enough where the file asks for ssh', async () => {
  expect(await lookIn({ transport: 'system', auth: [], usualAuth: true })).toBeUndefined();
});

test('a ticket is enough where there is no key at all, by itself', async () => {
  expect(await lookIn({ auth: [], usualAuth: true })).toContain('neither an agent nor a key');
});

test('it is tried when the usual keys are refused', async () => {
  expect(await lookIn({ auth: [strange()], usualAuth: true })).toContain('GSSAPI');
});

test('it is not tried where the file says how to log in, or that the library shall', async () => {
  const refused = { code: 'REMOTE_AUTH' };
  await expect(lookIn({ auth: [strange()] })).rejects.toMatchObject(refused);
  await expect(lookIn({ auth: [strange()], transport: 'system' })).rejects.toMatchObject(refused);
  const byLibrary = lookIn({ auth: [strange()], usualAuth: true, transport: 'library' });
  await expect(byLibrary).rejects.toMatchObject(refused);
});

test('without a ticket the refusal shows what the library has tried, and that ssh was tried as well', async () => {
  vi.stubEnv('KRB5CCNAME', file('no ticket'));
  const refused = lookIn({ auth: [strange()], usualAuth: true });
  await expect(refused).rejects.toMatchObject({
    code: 'REMOTE_AUTH',
    message: expect.stringMatching(/tried key ".*strange".* \(tried as well by the system's ssh, because .*GSSAPI\)$/),
  });
  vi.stubEnv('KRB5CCNAME', realm.env.KRB5CCNAME);
});

function strange(): RemoteAuth {
  return { kind: 'key', path: file('strange') };
}

/** Logs in, proves it, and returns what there is to tell about it. */
async function lookIn(change: Partial<RemoteTarget>): Promise<string | undefined> {
  const [machine] = sshd.machines;
  if (machine === undefined) throw new Error('the bed has no machine');
  const sources = { knownHosts: [sshd.knownHosts], configFiles: [file('config')], temporaryFolder: sshd.folder };
  const target = { ...targetFor(sshd, machine, 'auto'), host: 'localhost', ...change };
  const host = await remoteHosts(sources).connect(target, signal);
  try {
    const process = await host.start('pwd', signal);
    expect((await text(process.output)).trim()).toBe(machine.home);
    return host.remark;
  } finally {
    await host.close();
  }
}

function file(name: string): string {
  return join(sshd.folder, name);
}

import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { RemoteAuth, RemoteTarget } from '@fenestra/platform';
import { type NewHostKey, remoteHosts } from '@fenestra/ssh';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mustRun, runCommand } from '../../support/beds/command.ts';
import { type SshdBed, startSshd } from '../../support/beds/sshd-bed.ts';
import { startAgent } from './ssh-agent.ts';
import { targetFor } from './ssh-contract-bed.ts';

const TRANSPORTS: readonly RemoteTarget['transport'][] = ['library', 'system'];
const PASSPHRASE = "it's a phrase";
const { signal } = new AbortController();
let sshd: SshdBed;
let agent: Awaited<ReturnType<typeof startAgent>>;

beforeAll(async () => {
  sshd = await startSshd({ machines: 1, listen: ['127.0.0.1', '::1'] }, signal);
  const authority = file('authority');
  await keygen(['-t', 'ed25519', '-N', '', '-f', authority]);
  await keygen(['-t', 'rsa', '-b', '2048', '-N', PASSPHRASE, '-f', file('locked key')]);
  await keygen(['-t', 'ecdsa', '-m', 'PEM', '-N', '', '-f', file('pem key')]);
  await keygen(['-t', 'ed25519', '-N', '', '-f', file('certified')]);
  await keygen(['-s', authority, '-I', 'me', '-n', sshd.user, file('certified.pub')]);
  const keys = await Promise.all(['locked key.pub', 'pem key.pub'].map(async (name) => readFile(file(name), 'utf8')));
  const trusted = `cert-authority ${await readFile(`${authority}.pub`, 'utf8')}`;
  const own = await readFile(file('authorized_keys'), 'utf8');
  await writeFile(file('authorized_keys'), [own, ...keys, trusted].join(''));
  agent = await startAgent({ socket: file('agent'), key: sshd.keyFile }, signal);
});
afterAll(async () => {
  agent.stop();
  await sshd.stop();
});

describe.each(TRANSPORTS)('by %s', (transport) => {
  test('a key with a passphrase', async () => {
    await expectIn(transport, [{ kind: 'key', path: file('locked key'), passphrase: PASSPHRASE }]);
  });

  test("a key in OpenSSL's format", async () => {
    await expectIn(transport, [{ kind: 'key', path: file('pem key') }]);
  });

  test('an agent', async () => {
    await expectIn(transport, [{ kind: 'agent', socket: file('agent') }]);
  });

  test('an agent that is not there is refused, and nothing else is tried', async () => {
    const refused = expectIn(transport, [{ kind: 'agent', socket: file('no agent') }]);
    await expect(refused).rejects.toMatchObject({ code: 'REMOTE_AUTH' });
  });

  test('a certificate, for which the system is taken in any case', async () => {
    await expectIn(transport, [{ kind: 'key', path: file('certified'), certificate: file('certified-cert.pub') }]);
  });

  test('a wrong passphrase is refused', async () => {
    const refused = expectIn(transport, [{ kind: 'key', path: file('locked key'), passphrase: 'wrong' }]);
    await expect(refused).rejects.toMatchObject({ code: 'REMOTE_AUTH' });
  });

  test('a hashed file knows the machine', async () => {
    const hashed = file(`hashed-${transport}`);
    await cp(sshd.knownHosts, hashed);
    await runCommand(['ssh-keygen', '-H', '-f', hashed], {}, signal);
    expect(await readFile(hashed, 'utf8')).not.toContain('127.0.0.1');
    await expectIn(transport, [{ kind: 'key', path: sshd.keyFile }], { knownHosts: [hashed] });
  });

  test('a new machine at an address of IPv6 is recorded and reported, once', async () => {
    const recordFile = file(`accepted-${transport}`);
    const reported: NewHostKey[] = [];
    const sources = {
      knownHosts: [],
      acceptNew: { file: recordFile, recorded: (key: NewHostKey) => void reported.push(key) },
    };
    for (let time = 0; time < 2; time += 1)
      await expectIn(transport, [{ kind: 'key', path: sshd.keyFile }], sources, { host: '::1' });
    expect(reported).toMatchObject([
      { type: 'ssh-ed25519', fingerprint: expect.stringMatching(/^SHA256:/), file: recordFile },
    ]);
    expect((await readFile(recordFile, 'utf8')).trim().split('\n')).toHaveLength(1);
  });
});

test('the system leaves nothing behind in the folder for temporary files', async () => {
  expect((await readdir(sshd.folder)).filter((name) => name.startsWith('fssh-'))).toEqual([]);
});

async function expectIn(
  transport: RemoteTarget['transport'],
  auth: readonly RemoteAuth[],
  sources: Parameters<typeof remoteHosts>[0] = { knownHosts: [sshd.knownHosts] },
  change: Partial<RemoteTarget> = {},
): Promise<void> {
  const [machine] = sshd.machines;
  if (machine === undefined) throw new Error('the bed has no machine');
  const target = { ...targetFor(sshd, machine, transport), auth, ...change };
  const host = await remoteHosts({ ...sources, temporaryFolder: sshd.folder }).connect(target, signal);
  try {
    const process = await host.start('echo in', signal);
    expect(await text(process.output)).toBe('in\n');
  } finally {
    await host.close();
  }
}

async function keygen(args: readonly string[]): Promise<void> {
  await mustRun(['ssh-keygen', '-q', ...args], {}, signal);
}

function file(name: string): string {
  return join(sshd.folder, name);
}

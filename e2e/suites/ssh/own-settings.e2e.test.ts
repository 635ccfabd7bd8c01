/**
 * What only the system's ssh can do, on a real sshd: the ways of its settings (ProxyCommand, ProxyJump, another name)
 * and keys of FIDO devices, both where the file asks for ssh and by itself. The settings are in a file of the test.
 */
import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { RemoteHosts, RemoteTarget } from '@fenestra/platform';
import { type NewHostKey, remoteHosts } from '@fenestra/ssh';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mustRun } from '../../support/beds/command.ts';
import { type SshdBed, type SshdMachine, startSshd } from '../../support/beds/sshd-bed.ts';
import { startAgent } from './ssh-agent.ts';
import { makeFidoKey, softwareFido } from '../../support/ssh/software-fido.ts';
import { targetFor } from './ssh-contract-bed.ts';

const { signal } = new AbortController();
let sshd: SshdBed;
let machine: SshdMachine;
let door: SshdMachine;
let device = '';

beforeAll(async () => {
  sshd = await startSshd({ machines: 2 }, signal);
  [machine, door] = twoOf(sshd.machines);
  device = await softwareFido(signal);
  await makeFidoKey(device, file('fido'), signal);
  await appendFile(file('authorized_keys'), await readFile(file('fido.pub')));
  await appendFile(sshd.knownHosts, `[hidden.example]:${machine.port} ${await hostKey()}\n`);
  await writeFile(file('config'), settings());
});
afterAll(async () => sshd.stop());

/**
 * One machine is reached through a program, one through another machine, and one has another name here. What comes first
 * would let no command run and no key be checked, if it counted.
 */
function settings(): string {
  const login = `-i ${sshd.keyFile} -o UserKnownHostsFile=${sshd.knownHosts} -o StrictHostKeyChecking=yes`;
  return `IgnoreUnknown UseKeychain
UseKeychain yes
RemoteCommand false
SessionType none
StdinNull yes
NoHostAuthenticationForLocalhost yes
SecurityKeyProvider ${device}
Host hidden.example stranger.example
  ProxyCommand ssh -F none ${login} -p ${door.port} -W 127.0.0.1:%p ${sshd.user}@127.0.0.1
Host behind.example
  HostName 127.0.0.1
  ProxyJump door.example
Host door.example
  HostName 127.0.0.1
  Port ${door.port}
  User ${sshd.user}
  IdentityFile ${sshd.keyFile}
Host lost.example
  HostName 127.0.0.1
  ProxyJump unknown.example
Host unknown.example
  HostName localhost
  Port ${door.port}
  IdentityFile ${sshd.keyFile}
Host renamed.example
  HostName 127.0.0.1
`;
}

test.each([
  ['hidden.example', 'ProxyCommand'],
  ['behind.example', 'ProxyJump'],
])('%s is reached by a %s, if the file asks for ssh and by itself', async (host, word) => {
  expect(await lookIn(target({ host, transport: 'system' }))).toEqual({ transport: 'system', remark: undefined });
  const found = await lookIn(target({ host }));
  expect(found).toEqual({ transport: 'system', remark: expect.stringContaining(`a ${word} for "${host}"`) });
  await expect(lookIn(target({ host, transport: 'library' }))).rejects.toMatchObject({ code: 'REMOTE_UNREACHABLE' });
});

test('a jump host of the file may need such a way itself', async () => {
  const jump = { ...targetFor(sshd, door, 'auto'), host: 'behind.example' };
  const found = await lookIn(target({ jumps: [jump] }));
  expect(found).toMatchObject({ transport: 'system', remark: expect.stringContaining('"behind.example"') });
});

test('a name that only ssh knows is tried by it once the library has not found it', async () => {
  const found = await lookIn(target({ host: 'renamed.example' }));
  expect(found).toMatchObject({ transport: 'system', remark: expect.stringContaining('"127.0.0.1"') });
});

test('a machine without such settings goes by the library, and ssh is asked nothing', async () => {
  const hosts = open({ configFiles: [file('no config')], program: file('no ssh') });
  expect(await lookIn(target(), hosts)).toEqual({ transport: 'auto', remark: undefined });
});

test('it is reported once, however often the machine is connected to', async () => {
  const hosts = open();
  const reported = [];
  for (let time = 0; time < 3; time += 1)
    reported.push((await lookIn(target({ host: 'hidden.example' }), hosts)).remark);
  expect(reported).toEqual([expect.stringContaining('ProxyCommand'), undefined, undefined]);
});

test('host keys are checked as always, and new ones are recorded only where that is allowed, and reported', async () => {
  const stranger = target({ host: 'stranger.example' });
  await expect(lookIn(stranger)).rejects.toMatchObject({
    code: 'HOST_KEY_UNKNOWN',
    message: expect.stringContaining('ProxyCommand'),
  });
  const reported: NewHostKey[] = [];
  const recorded = (key: NewHostKey): void => void reported.push(key);
  const accepting = open({ acceptNew: { file: file('accepted'), recorded } });
  await lookIn(stranger, accepting);
  expect(reported).toMatchObject([{ target: { host: 'stranger.example' }, type: 'ssh-ed25519' }]);
  expect((await readFile(file('accepted'), 'utf8')).trim().split('\n')).toHaveLength(1);
});

test('a new key that was recorded is reported, even if the machine then lets no one in', async () => {
  await mustRun(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', file('nobody')], {}, signal);
  const reported: NewHostKey[] = [];
  const acceptNew = { file: file('accepted of nobody'), recorded: (key: NewHostKey) => void reported.push(key) };
  const stranger = target({ host: 'stranger.example', auth: [{ kind: 'key', path: file('nobody') }] });
  await expect(lookIn(stranger, open({ acceptNew }))).rejects.toMatchObject({ code: 'REMOTE_AUTH' });
  expect(reported).toMatchObject([{ target: { host: 'stranger.example' }, file: file('accepted of nobody') }]);
});

test('settings that ssh does not understand are reported, and no other way is gone', async () => {
  await writeFile(file('bad config'), 'ProxyComand x\nHost *\n  ProxyCommand none\n');
  const hosts = open({ configFiles: [file('bad config')] });
  const failure = { code: 'CONFIG_INVALID', message: expect.stringContaining('proxycomand') };
  await expect(lookIn(target(), hosts)).rejects.toMatchObject(failure);
  await expect(lookIn(target({ transport: 'system' }), hosts)).rejects.toMatchObject(failure);
});

test('a machine on the way that only the settings name has to be known, even where new ones are accepted', async () => {
  const acceptNew = { file: file('accepted'), recorded: () => undefined };
  await rm(file('accepted'), { force: true });
  await expect(lookIn(target({ host: 'lost.example' }), open({ acceptNew }))).rejects.toMatchObject({
    code: 'HOST_KEY_UNKNOWN',
    message: expect.stringContaining(`"[localhost]:${door.port}"`),
  });
  expect(await readFile(file('accepted'), 'utf8').catch(() => '')).not.toContain('localhost');
});

test('a pin of the target is not asked of the machine on the way', async () => {
  const pinned = target({ host: 'behind.example', hostKeys: [await hostKey()] });
  expect(await lookIn(pinned)).toMatchObject({ transport: 'system' });
  const wrong = target({ host: 'behind.example', hostKeys: [`SHA256:${'A'.repeat(43)}`] });
  await expect(lookIn(wrong)).rejects.toMatchObject({ code: expect.stringMatching(/^HOST_KEY/) });
});

test.each(['auto', 'library', 'system'] as const)('a key of a FIDO device goes by ssh: %s', async (transport) => {
  const found = await lookIn(target({ auth: [{ kind: 'key', path: file('fido') }], transport }));
  expect(found).toEqual({
    transport: 'system',
    remark: transport === 'system' ? undefined : expect.stringContaining('FIDO'),
  });
});

test('of the usual keys, that one is tried when the others are refused', async () => {
  await mustRun(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', file('strange')], {}, signal);
  const auth = ['strange', 'fido'].map((name) => ({ kind: 'key' as const, path: file(name) }));
  expect(await lookIn(target({ auth, usualAuth: true }))).toMatchObject({ transport: 'system' });
});

test('an agent with such a key is asked by ssh when the library is refused', async () => {
  const agent = await startAgent({ socket: file('agent'), provider: device, key: file('fido') }, signal);
  try {
    const found = await lookIn(target({ auth: [{ kind: 'agent', socket: file('agent') }] }));
    expect(found).toMatchObject({ transport: 'system', remark: expect.stringContaining('the agent has keys') });
  } finally {
    agent.stop();
  }
});

test('nothing is left in the folder for temporary files', async () => {
  expect((await readdir(sshd.folder)).filter((name) => name.startsWith('fssh-'))).toEqual([]);
});

function target(change: Partial<RemoteTarget> = {}): RemoteTarget {
  return { ...targetFor(sshd, machine, 'auto'), ...change };
}

function open(change: Partial<Parameters<typeof remoteHosts>[0]> = {}): RemoteHosts {
  const sources = { knownHosts: [sshd.knownHosts], configFiles: [file('config')], temporaryFolder: sshd.folder };
  return remoteHosts({ ...sources, ...change });
}

/** Logs in, proves it, and says how. */
async function lookIn(wanted: RemoteTarget, hosts = open()) {
  const host = await hosts.connect(wanted, signal);
  try {
    const process = await host.start('pwd', signal);
    expect((await text(process.output)).trim()).toBe(machine.home);
    return { transport: host.target.transport, remark: host.remark };
  } finally {
    await host.close();
  }
}

async function hostKey(): Promise<string> {
  return (await readFile(sshd.hostKey, 'utf8')).split(' ').slice(0, 2).join(' ');
}

function twoOf(machines: readonly SshdMachine[]): [SshdMachine, SshdMachine] {
  const [first, second] = machines;
  if (first === undefined || second === undefined) throw new Error('the bed has too few machines');
  return [first, second];
}

function file(name: string): string {
  return join(sshd.folder, name);
}

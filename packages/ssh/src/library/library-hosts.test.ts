import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { RemoteAuth, RemoteTarget } from '@fenestra/platform';
import ssh2, { type AuthContext, type Connection as ServerConnection } from 'ssh2';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { NewHostKey } from '../host-keys/host-key-book.ts';
import { sshRemoteHosts } from './library-hosts.ts';

const PASSWORD = 'open sesame';
const PASSPHRASE = 'a phrase';
const { signal } = new AbortController();
const hostKey = newKey();
const userKey = newKey({ passphrase: PASSPHRASE, cipher: 'aes256-ctr', rounds: 1 });
const servers: { close(): void }[] = [];
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fenestra-ssh-'));
  await writeFile(join(folder, 'key'), userKey.private, { mode: 0o600 });
});
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});
afterAll(async () => rm(folder, { recursive: true, force: true }));

test('a password is taken, and a command runs', async () => {
  const target = await serve(passwordOnly, [{ kind: 'password', password: PASSWORD }]);
  const host = await hosts().connect(target, signal);
  const process = await host.start('greet', signal);
  expect(await text(process.output)).toBe('you said "greet"');
  expect(await process.ended).toEqual({ exitCode: 7 });
  await host.close();
});

test('a session that the server refuses is tried again', async () => {
  const target = await serve(passwordOnly, [{ kind: 'password', password: PASSWORD }], 2);
  const host = await hosts().connect(target, signal);
  const process = await host.start('greet', signal);
  expect(await text(process.output)).toBe('you said "greet"');
  await host.close();
});

test('an input of many windows arrives whole and in order, at a machine that reads quickly and at a slow one', async () => {
  const target = await serve(passwordOnly, [{ kind: 'password', password: PASSWORD }]);
  const host = await hosts().connect(target, signal);
  const content = randomBytes(3_000_001);
  for (const command of ['digest', 'digest slowly']) {
    const remote = await host.start(command, signal);
    remote.input.end(content);
    expect(await text(remote.output)).toBe(createHash('sha256').update(content).digest('hex'));
  }
  await host.close();
});

test('questions are answered', async () => {
  const target = await serve(questionsOnly, [{ kind: 'keyboard-interactive', answer: PASSWORD }]);
  await (await hosts().connect(target, signal)).close();
});

test('two proofs are given in the order in which the machine asks for them', async () => {
  const auth: RemoteAuth[] = [
    { kind: 'password', password: PASSWORD },
    { kind: 'key', path: join(folder, 'key'), passphrase: PASSPHRASE },
  ];
  await (await hosts().connect(await serve(keyThenPassword(), auth), signal)).close();
});

test('a refusal names what was tried and what the machine offers, and no secret', async () => {
  const auth: RemoteAuth[] = [
    { kind: 'password', password: 'wrong secret' },
    { kind: 'key', path: join(folder, 'key') },
  ];
  const target = await serve(passwordOnly, auth);
  const error = await hosts()
    .connect(target, signal)
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'REMOTE_AUTH' });
  expect(String(error)).toMatch(/tried password; the machine offers password; key ".*key" needs a passphrase/);
  expect(JSON.stringify(error) + String(error)).not.toContain('wrong secret');
});

test.each([
  ['none', undefined, /needs a passphrase/],
  ['another one', 'wrong', /passphrase/],
])(
  'a key that needs a passphrase and has %s is reported before anything is sent',
  async (_what, passphrase, message) => {
    const target = await serve(passwordOnly, [{ kind: 'key', path: join(folder, 'key'), passphrase }]);
    const refused = hosts().connect({ ...target, port: 1 }, signal);
    await expect(refused).rejects.toMatchObject({ code: 'REMOTE_AUTH', message: expect.stringMatching(message) });
  },
);

test('a certificate is not silently left out', async () => {
  const target = await serve(passwordOnly, [{ kind: 'key', path: 'k', certificate: 'k-cert.pub' }]);
  const refused = hosts().connect(target, signal);
  await expect(refused).rejects.toMatchObject({
    code: 'REMOTE_AUTH',
    hint: expect.stringContaining('transport: system'),
  });
});

test('a new key is recorded once, reported, and from then on the only one', async () => {
  const file = join(folder, 'recorded');
  const reported: NewHostKey[] = [];
  const accepting = sshRemoteHosts({ knownHosts: [], acceptNew: { file, recorded: (key) => void reported.push(key) } });
  const target = { ...(await serve(passwordOnly, [{ kind: 'password', password: PASSWORD }])), hostKeys: [] };
  const both = await Promise.all([accepting.connect(target, signal), accepting.connect(target, signal)]);
  for (const host of both) await host.close();
  expect(reported).toMatchObject([{ type: 'ssh-ed25519', file }]);
  expect(await readFile(file, 'utf8')).toBe(
    `[127.0.0.1]:${target.port} ${hostKey.public.split(' ').slice(0, 2).join(' ')}\n`,
  );
  await (await sshRemoteHosts({ knownHosts: [file] }).connect(target, signal)).close();
  const changed = newKey().public.split(' ').slice(0, 2).join(' ');
  await writeFile(file, `# by hand\n[127.0.0.1]:${target.port} ${changed}\n`);
  await expect(accepting.connect(target, signal)).rejects.toMatchObject({
    code: 'HOST_KEY_CHANGED',
    message: expect.stringContaining(`${file}:2`),
  });
});

test('a connection over which nothing is received is lost after the idle timeout', async () => {
  const target = await serve(passwordOnly, [{ kind: 'password', password: PASSWORD }]);
  const limits = { connectSeconds: 5, idleTimeoutSeconds: 1.5 };
  const host = await hosts().connect({ ...target, limits }, signal);
  const process = await host.start('freeze', signal);
  await expect(process.ended).rejects.toMatchObject({ code: 'REMOTE_LOST', message: expect.stringContaining('1.5 s') });
  await host.close();
});

test('a machine that answers pings and nothing else is not waited for longer than asked', async () => {
  const target = await serve(passwordOnly, [{ kind: 'password', password: PASSWORD }]);
  const host = await hosts().connect(target, signal);
  const file = { path: 'x', mode: 0o600, size: 1, content: async function* () {} };
  await expect(host.start('ignore', AbortSignal.timeout(100))).rejects.toMatchObject({ code: 'TIMED_OUT' });
  await expect(host.upload(file, AbortSignal.timeout(100))).rejects.toMatchObject({ code: 'TIMED_OUT' });
  await host.close();
});

test('a machine that is not reached from the one in between is given up in time', async () => {
  const jump = await serve(passwordOnly, [{ kind: 'password', password: PASSWORD }]);
  const target = { ...jump, jumps: [jump], limits: { connectSeconds: 0.2, idleTimeoutSeconds: 10 } };
  await expect(hosts().connect(target, signal)).rejects.toMatchObject({ code: 'REMOTE_TIMEOUT' });
});

function hosts(): ReturnType<typeof sshRemoteHosts> {
  return sshRemoteHosts({ knownHosts: [] });
}

/** Someone else's SSH server, with a way to log in and a command that answers. */
async function serve(
  authenticate: (context: AuthContext) => void,
  auth: readonly RemoteAuth[],
  refusedSessions = 0,
): Promise<RemoteTarget> {
  let sessions = 0;
  const server = new ssh2.Server({ hostKeys: [hostKey.private] }, (client) => {
    client.on('error', () => undefined).on('authentication', authenticate);
    client.on('session', (accept, refuse) => {
      sessions += 1;
      if (sessions <= refusedSessions) return refuse();
      return accept()
        .on('exec', (go, _refuse, { command }) => command !== 'ignore' && answer(client, go(), command))
        .on('sftp', () => undefined);
    });
    // It never says whether it gets there.
    client.on('tcpip', () => undefined);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address: unknown = server.address();
  const port = address instanceof Object && 'port' in address ? Number(address.port) : 0;
  return {
    name: 'server',
    host: '127.0.0.1',
    port,
    user: 'me',
    auth,
    hostKeys: [hostKey.public],
    jumps: [],
    transport: 'library',
    limits: { connectSeconds: 10, idleTimeoutSeconds: 10 },
  };
}

function answer(client: ServerConnection, channel: ssh2.ServerChannel, command: string): void {
  if (command.startsWith('digest')) return void tellDigest(channel, command.endsWith('slowly'));
  if (command === 'freeze') {
    const socket: unknown = Reflect.get(client, '_sock');
    if (socket instanceof Object && 'pause' in socket && typeof socket.pause === 'function') socket.pause();
    return;
  }
  channel.write(`you said "${command}"`);
  channel.exit(7);
  channel.end();
}

/** The library opens its window again when half of it is used; to be slow is to have little of it open most of the time. */
async function tellDigest(channel: ssh2.ServerChannel, slowly: boolean): Promise<void> {
  const digest = createHash('sha256');
  for await (const piece of channel) {
    digest.update(piece);
    if (slowly) await new Promise((resolve) => setImmediate(resolve));
  }
  channel.write(digest.digest('hex'));
  channel.exit(0);
  channel.end();
}

function passwordOnly(context: AuthContext): void {
  if (context.method === 'password' && context.password === PASSWORD) context.accept();
  else context.reject(['password']);
}

function questionsOnly(context: AuthContext): void {
  if (context.method !== 'keyboard-interactive') return context.reject(['keyboard-interactive']);
  context.prompt([{ prompt: 'Password: ', echo: false }], ([given]) =>
    given === PASSWORD ? context.accept() : context.reject(),
  );
}

function keyThenPassword(): (context: AuthContext) => void {
  let proved = false;
  return (context) => {
    if (context.method === 'publickey') {
      // Without a signature it is only the question whether this key would do.
      if (context.signature === undefined) return context.accept();
      proved = true;
      return context.reject(['password'], true);
    }
    if (proved && context.method === 'password' && context.password === PASSWORD) context.accept();
    else context.reject(['publickey']);
  };
}

/** One in some three hundred keys that the library makes is malformed, for OpenSSH as well: that one is made again. */
function newKey(lock?: { passphrase: string; cipher: string; rounds: number }): { private: string; public: string } {
  const pair = ssh2.utils.generateKeyPairSync('ed25519', lock);
  return ssh2.utils.parseKey(pair.private, lock?.passphrase) instanceof Error ? newKey(lock) : pair;
}

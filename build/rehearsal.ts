import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ssh2, { type AuthContext, type ParsedKey, type ServerChannel } from 'ssh2';

type KeyPair = ReturnType<typeof ssh2.utils.generateKeyPairSync>;

const VERSION = 'v9.9.9';
const USER = 'rehearsal';
const HOST = '127.0.0.1';

/**
 * Has a run of `keadm batch` done that finds its only node as wanted: what it does is what every run does at first. The
 * node is a folder, on a machine that answers on the loopback with this one's shell.
 */
export async function rehearse(folder: string, play: (command: readonly string[]) => Promise<void>): Promise<void> {
  const [hostKey, userKey] = [ssh2.utils.generateKeyPairSync('ed25519'), ssh2.utils.generateKeyPairSync('ed25519')];
  const server = serve(hostKey.private, userKey.public).listen(0, HOST);
  const agent = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 600_000)'], {
    argv0: 'edgecore',
    stdio: 'ignore',
  });
  try {
    await Promise.all([once(server, 'listening'), once(agent, 'spawn')]);
    await play(commandFor(folder, { port: portOf(server), agent: agent.pid ?? 0, hostKey, userKey }));
  } finally {
    agent.kill();
    server.close();
  }
}

interface Scene {
  readonly port: number;
  /** The process that the node's agent is taken for. */
  readonly agent: number;
  readonly hostKey: KeyPair;
  readonly userKey: KeyPair;
}

function commandFor(folder: string, { port, agent, hostKey, userKey }: Scene): readonly string[] {
  const keyFile = join(folder, 'key');
  writeFileSync(keyFile, userKey.private, { mode: 0o600 });
  const ssh = {
    ip: HOST,
    port,
    username: USER,
    transport: 'library',
    hostKey: hostKey.public.split(' ').slice(0, 2).join(' '),
    auth: { type: 'privateKey', privateKeyAuth: { privateKeyPath: keyFile } },
  };
  const root = makeNode(join(folder, 'node'), agent);
  const nodes = [{ nodeName: USER, keadmCmd: `upgrade --version=${VERSION} --root=${root}`, ssh }];
  const file = join(folder, 'batch.yaml');
  writeFileSync(file, JSON.stringify({ nodes }), { mode: 0o600 });
  const places = ['--runs', join(folder, 'runs'), '--known-hosts', join(folder, 'known_hosts')];
  return ['batch', 'run', '-c', file, ...places, '--program', `linux-${process.arch}=${process.execPath}`];
}

function portOf(server: ssh2.Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The rehearsal has no port');
  return address.port;
}

function makeNode(root: string, pid: number): string {
  const [settings, state] = [join(root, 'etc/kubeedge'), join(root, 'var/lib/kubeedge')];
  for (const each of [settings, state]) mkdirSync(each, { recursive: true });
  writeFileSync(join(settings, 'version.txt'), `${VERSION}\n`);
  const status = { version: VERSION, pid, startedAt: '', reloads: 0, connected: true };
  writeFileSync(join(state, 'agent-status.json'), JSON.stringify(status));
  return root;
}

/** Whoever has the key may run what they like, and nobody else anything. */
function serve(hostKey: string, userKey: string): ssh2.Server {
  const key = ssh2.utils.parseKey(userKey);
  if (key instanceof Error) throw key;
  return new ssh2.Server({ hostKeys: [hostKey] }, (client) => {
    client.on('authentication', (attempt) => (isProof(attempt, key) ? attempt.accept() : attempt.reject()));
    client.on('session', (accept) => {
      accept().on('exec', (take, _, { command }) => runInShell(command, take()));
    });
  });
}

function isProof(attempt: AuthContext, key: ParsedKey): boolean {
  if (attempt.method !== 'publickey' || !attempt.key.data.equals(key.getPublicSSH())) return false;
  const { blob, signature, hashAlgo } = attempt;
  return blob !== undefined && signature !== undefined && key.verify(blob, signature, hashAlgo);
}

function runInShell(command: string, channel: ServerChannel): void {
  const shell = spawn('/bin/sh', ['-c', command], { env: { PATH: '/usr/bin:/bin', SSH_CONNECTION: HOST } });
  channel.pipe(shell.stdin);
  shell.stdout.pipe(channel, { end: false });
  shell.stderr.pipe(channel.stderr, { end: false });
  shell.on('close', (exitCode) => {
    channel.exit(exitCode ?? 1);
    channel.end();
  });
}

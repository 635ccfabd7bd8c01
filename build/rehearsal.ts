import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ssh2, { type AuthContext, type ParsedKey, type ServerChannel } from 'ssh2';

const VERSION = 'v9.9.9';
const USER = 'rehearsal';
const HOST = '127.0.0.1';

/** A run of `keadm batch` that finds its only node as wanted: what it does is what every run does at first. */
export interface Rehearsal {
  readonly command: readonly string[];
  end(): void;
}

/**
 * Makes a machine that answers on the loopback with this one's shell, and a node on it, both below a folder. Neither
 * settings nor left-overs of this machine are looked at, so that the same code is run anywhere.
 */
export async function openRehearsal(folder: string): Promise<Rehearsal> {
  const agent = spawn('/bin/sleep', ['600'], { argv0: 'edgecore', stdio: 'ignore' });
  const node = makeNode(join(folder, 'node'), agent.pid ?? 0);
  const [hostKey, userKey] = [ssh2.utils.generateKeyPairSync('ed25519'), ssh2.utils.generateKeyPairSync('ed25519')];
  const server = serve(hostKey.private, userKey.public).listen(0, HOST);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The rehearsal has no port');
  const keyFile = join(folder, 'key');
  writeFileSync(keyFile, userKey.private, { mode: 0o600 });
  const file = join(folder, 'batch.yaml');
  const ssh = {
    ip: HOST,
    port: address.port,
    username: USER,
    transport: 'library',
    hostKey: hostKey.public.split(' ').slice(0, 2).join(' '),
    auth: { type: 'privateKey', privateKeyAuth: { privateKeyPath: keyFile } },
  };
  const nodes = [{ nodeName: USER, keadmCmd: `upgrade --version=${VERSION} --root=${node}`, ssh }];
  writeFileSync(file, JSON.stringify({ nodes }), { mode: 0o600 });
  const places = ['--runs', join(folder, 'runs'), '--known-hosts', join(folder, 'known_hosts')];
  return {
    command: ['batch', 'run', '-c', file, ...places, '--program', `linux-${process.arch}=${process.execPath}`],
    end() {
      agent.kill();
      server.close();
    },
  };
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

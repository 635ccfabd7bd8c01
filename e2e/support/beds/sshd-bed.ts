/**
 * Real SSH servers on this machine: Debian's sshd, with host keys and separate homes for its accounts. Each port stands for
 * a machine: it has its own home folder, and so its own files.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { OperatorError } from '@fenestra/kernel';
import { freePort } from '@fenestra/platform/testing/free-port';
import { mustRun } from './command.ts';
import { requirePackages } from './debian-packages.ts';
import { childrenOf, killNow, killTree } from './process-tree.ts';

/** How the servers are set up. */
export interface SshdOptions {
  /** How many machines there shall be. */
  readonly machines: number;
  /** Runs instead of the account's shell, which it finds in `$FENESTRA_SHELL`; the home folder is set by then. */
  readonly shell?: string;
  /** The addresses of the loopback to listen on; by default only 127.0.0.1. */
  readonly listen?: readonly string[];
  /** Lines for sshd_config, which hold before the usual ones. */
  readonly extraConfig?: readonly string[];
}

/** One port that stands for a machine. */
export interface SshdMachine {
  readonly host: string;
  readonly port: number;
  /** `$HOME` of anyone who logs in here. */
  readonly home: string;
}

/** Running SSH servers. */
export interface SshdBed {
  readonly folder: string;
  readonly machines: readonly SshdMachine[];
  /** The account that may log in. */
  readonly user: string;
  /** A private key that is let in. */
  readonly keyFile: string;
  /** A file that knows every machine. */
  readonly knownHosts: string;
  /** The public key that all machines show. */
  readonly hostKey: string;
  /** Ends every connection at once, and all that runs in it, as a power cut of the machines would. New ones are taken. */
  cutConnections(): void;
  stop(): Promise<void>;
}

const READY_MS = 20_000;
const HOST = '127.0.0.1';
const POLICY = '/usr/sbin/policy-rc.d';
const SFTP_SERVER = '/usr/lib/openssh/sftp-server';

/** Starts as many SSH servers as there shall be machines. They end with this process, however that ends. */
export async function startSshd(options: SshdOptions, signal: AbortSignal): Promise<SshdBed> {
  await withoutStarting(async () => requirePackages(['openssh-server', 'openssh-client'], signal));
  // sshd gives up its rights in an empty folder that only its service would make.
  await mkdir('/run/sshd', { recursive: true, mode: 0o755 });
  const folder = await mkdtemp(join(tmpdir(), 'fenestra-sshd-'));
  const servers: ChildProcess[] = [];
  try {
    const machines = await makeMachines(folder, options.machines);
    await makeKeys(folder, machines, signal);
    const session = await writeSession(folder, options.shell);
    for (const machine of machines) servers.push(await startServer(folder, machine, session, options));
    await Promise.all(machines.map(async (machine) => untilListening(folder, machine, signal)));
    return bedOf(folder, machines, servers);
  } catch (error) {
    await stopAll(folder, servers);
    throw error;
  }
}

/** Installing the server must not start one for everybody: Debian asks this file first, where there is one. */
async function withoutStarting(install: () => Promise<void>): Promise<void> {
  if (existsSync(POLICY)) return install();
  await writeFile(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    await install();
  } finally {
    await rm(POLICY, { force: true });
  }
}

function bedOf(folder: string, machines: readonly SshdMachine[], servers: readonly ChildProcess[]): SshdBed {
  return {
    folder,
    machines,
    user: userInfo().username,
    keyFile: join(folder, 'user_key'),
    knownHosts: join(folder, 'known_hosts'),
    hostKey: join(folder, 'host_key.pub'),
    cutConnections() {
      for (const { pid } of servers) if (pid !== undefined) killChildren(pid);
    },
    stop: async () => stopAll(folder, servers),
  };
}

async function makeMachines(folder: string, count: number): Promise<readonly SshdMachine[]> {
  const machines: SshdMachine[] = [];
  const taken = new Set<number>();
  while (machines.length < count) {
    const port = await freePort();
    if (taken.has(port)) continue;
    taken.add(port);
    const home = join(folder, 'homes', String(port));
    await mkdir(home, { recursive: true, mode: 0o700 });
    machines.push({ host: HOST, port, home });
  }
  return machines;
}

async function makeKeys(folder: string, machines: readonly SshdMachine[], signal: AbortSignal): Promise<void> {
  for (const name of ['host_key', 'user_key'])
    await mustRun(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', join(folder, name)], {}, signal);
  await writeFile(join(folder, 'authorized_keys'), await readFile(join(folder, 'user_key.pub')), { mode: 0o600 });
  const key = (await readFile(join(folder, 'host_key.pub'), 'utf8')).split(' ').slice(0, 2).join(' ');
  await writeFile(join(folder, 'known_hosts'), machines.map(({ host, port }) => `[${host}]:${port} ${key}\n`).join(''));
}

/**
 * sshd takes the home from the system's accounts; only a command that it is forced to can give another. That one is run
 * by the account's own shell, and nothing comes between the two unless the bed was asked to.
 */
async function writeSession(folder: string, shell: string | undefined): Promise<(home: string) => string> {
  if (shell === undefined) return (home) => `cd ${home} && export HOME=${home} && eval "$SSH_ORIGINAL_COMMAND"`;
  const path = join(folder, 'shell');
  await writeFile(
    path,
    `#!/bin/sh
export HOME="$1" FENESTRA_SHELL=/bin/sh
cd "$HOME" || exit 1
case "$SSH_ORIGINAL_COMMAND" in ${SFTP_SERVER}*) exec $SSH_ORIGINAL_COMMAND ;; esac
exec ${shell}
`,
  );
  await chmod(path, 0o755);
  return (home) => `${path} ${home}`;
}

async function startServer(
  folder: string,
  machine: SshdMachine,
  session: (home: string) => string,
  options: SshdOptions,
): Promise<ChildProcess> {
  const config = join(folder, `sshd_config.${machine.port}`);
  await writeFile(config, configText(folder, machine, session, options));
  const argv = ['--pdeathsig', 'KILL', '/usr/sbin/sshd', '-D', '-E', logOf(folder), '-f', config];
  return spawn('setpriv', argv, { stdio: 'ignore' });
}

function logOf(folder: string): string {
  return join(folder, 'sshd.log');
}

function configText(
  folder: string,
  { port, home }: SshdMachine,
  session: (home: string) => string,
  { listen = [HOST], extraConfig = [] }: SshdOptions,
): string {
  return `Port ${port}
${listen.map((address) => `ListenAddress ${address}`).join('\n')}
${extraConfig.join('\n')}
HostKey ${folder}/host_key
AuthorizedKeysFile ${folder}/authorized_keys
PidFile none
UsePAM no
UseDNS no
StrictModes no
PermitRootLogin yes
PasswordAuthentication no
KbdInteractiveAuthentication no
MaxStartups 2000
MaxSessions 100
PrintMotd no
Subsystem sftp ${SFTP_SERVER}
ForceCommand ${session(home)}
`;
}

async function untilListening(folder: string, { host, port }: SshdMachine, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + READY_MS;
  while (!(await answers(host, port))) {
    if (Date.now() > deadline) throw await notListening(folder, port);
    await delay(20, undefined, { signal });
  }
}

async function answers(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port });
  try {
    // Only a greeting proves that it is the server and not just an open port.
    await once(socket, 'data', { signal: AbortSignal.timeout(5000) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function notListening(folder: string, port: number): Promise<OperatorError> {
  const log = logOf(folder);
  const said = existsSync(log) ? await readFile(log, 'utf8') : '';
  return new OperatorError('TIMED_OUT', `Cannot start sshd on port ${port} within ${READY_MS / 1000} s`, {
    hint: `Read what it said: ${said.slice(-2000) || '(nothing)'}`,
  });
}

function killChildren(pid: number): void {
  // From above: the server must not live to tell how its command ended.
  for (const process of descendantsOf(pid)) killNow(process);
}

/** Everybody before those they have started. */
function descendantsOf(pid: number): readonly number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);
}

async function stopAll(folder: string, servers: readonly ChildProcess[]): Promise<void> {
  for (const { pid } of servers) if (pid !== undefined) killTree(pid);
  await rm(folder, { recursive: true, force: true });
}

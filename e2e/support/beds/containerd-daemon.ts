import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connectRuntime, GRPC_STATUS, hasStatus } from '@fenestra/cri';
import { OperatorError } from '@fenestra/kernel';
import type { Cage } from './cage.ts';
import { commandFailed } from './command.ts';
import { childrenOf, killTree } from './process-tree.ts';

/** Where a containerd runs. */
export interface DaemonPlace {
  readonly cage: Cage;
  /** For everything of containerd's: socket, configuration, log, root and state. */
  readonly folder: string;
  /** The folder with its programs, where that is not one of the usual. */
  readonly programs?: string;
}

/** A containerd in a cage. It listens on `containerd.sock` in its folder. */
export interface ContainerdDaemon {
  /** As keadm takes it. */
  readonly endpoint: string;
  /** Runs containerd's own client in one of its namespaces and returns what it printed. */
  ctr(namespace: string, args: readonly string[]): Promise<string>;
  /** Starts it with a configuration and returns when it answers. */
  start(config: string): Promise<void>;
  /** Keeps it from doing anything, as one that hangs. */
  freeze(): void;
  /** Lets a frozen one go on. */
  thaw(): void;
  /** Ends it at once, as a crash would. Its containers run on. */
  kill(): Promise<void>;
}

const READY_MS = 60_000;

/** Prepares a containerd; nothing runs before it is started. */
export function containerdDaemon({ cage, folder, programs }: DaemonPlace, signal: AbortSignal): ContainerdDaemon {
  const socket = join(folder, 'containerd.sock');
  const log = join(folder, 'containerd.log');
  // containerd looks for its shims in the same PATH.
  const program = programs === undefined ? [] : ['env', `PATH=${programs}:${process.env['PATH'] ?? ''}`];
  let gone: Promise<unknown> = Promise.resolve();
  /** The process that entered the cage; containerd is its child. */
  let entered = 0;

  async function isReady(): Promise<boolean> {
    const { exitCode } = await cage.run([...program, 'ctr', '--address', socket, 'version'], {}, signal);
    return exitCode === 0 && servesPods(`unix://${socket}`, signal);
  }

  function signalAll(name: NodeJS.Signals): void {
    for (const pid of childrenOf(entered)) process.kill(pid, name);
  }

  return {
    endpoint: `unix://${socket}`,
    async ctr(namespace, args) {
      const argv = [...program, 'ctr', '--address', socket, '--namespace', namespace, ...args];
      const result = await cage.run(argv, {}, signal);
      if (result.exitCode !== 0) throw commandFailed(argv.join(' '), result);
      return result.stdout;
    },
    async start(config) {
      const file = join(folder, 'config.toml');
      await writeFile(file, config);
      const child = cage.spawn([...program, 'containerd', '--config', file], { stdio: ['ignore', 'pipe', 'pipe'] });
      for (const stream of [child.stdout, child.stderr]) stream?.pipe(createWriteStream(log, { flags: 'a' }));
      entered = child.pid ?? 0;
      gone = once(child, 'exit');
      await waitUntil(isReady, log, signal);
    },
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    async kill() {
      // The shims that hold the containers have left this tree, as daemons do.
      const doomed = childrenOf(entered);
      killTree(entered);
      await gone;
      while (doomed.some((pid) => existsSync(`/proc/${pid}`))) await delay(10, undefined, { signal });
    },
  };
}

/** The part for Kubernetes, unless it is switched off, answers a moment after the rest. */
async function servesPods(endpoint: string, signal: AbortSignal): Promise<boolean> {
  const runtime = connectRuntime(endpoint);
  try {
    await runtime.listSandboxes({}, signal);
    return true;
  } catch (error) {
    return hasStatus(error, GRPC_STATUS.UNIMPLEMENTED);
  } finally {
    runtime.close();
  }
}

async function waitUntil(isReady: () => Promise<boolean>, log: string, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + READY_MS;
  while (!(await isReady())) {
    if (Date.now() > deadline) throw await neverReady(log);
    await delay(200, undefined, { signal });
  }
}

async function neverReady(log: string): Promise<OperatorError> {
  const text = await readFile(log, 'utf8').catch(() => '');
  return new OperatorError('TIMED_OUT', `Cannot start containerd within ${READY_MS / 1000} s`, {
    hint: `Read its log: ${text.slice(-1500)}`,
  });
}

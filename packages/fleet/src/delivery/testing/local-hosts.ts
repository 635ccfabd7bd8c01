import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { OperatorError } from '@fenestra/kernel';
import type { RemoteHost, RemoteHosts, RemoteProcess, RemoteTarget } from '@fenestra/platform';

/** How a machine is played. */
export interface LocalMachine {
  /** What reads command lines. */
  readonly shell: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** This machine as a remote one, for tests of what is said to it: command lines go to a real shell. */
export interface LocalHosts extends RemoteHosts {
  readonly target: RemoteTarget;
  /** Every command line so far. */
  readonly lines: readonly string[];
  connections: number;
  /** Ends all connections, as a cable that is pulled does; what they had started is left alone. */
  cut(): void;
}

/** As a server reports a command that was killed. */
function codeOf(signal: NodeJS.Signals | null): number {
  return 128 + (signal === null ? 0 : constants.signals[signal]);
}

/** Lets in everybody. */
export function localHosts({ shell, env }: LocalMachine): LocalHosts {
  const [program = '', ...first] = shell;
  const lines: string[] = [];
  const cuts = new Set<() => void>();
  const start = async (line: string, signal: AbortSignal): Promise<RemoteProcess> => {
    lines.push(line);
    const child = spawn(program, [...first, line], { env: { ...env }, detached: true, stdio: 'pipe' });
    const lost = Promise.withResolvers<never>();
    const cut = (): void => {
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
      lost.reject(new OperatorError('REMOTE_LOST', 'The connection was lost', { hint: 'Try again.' }));
    };
    cuts.add(cut);
    signal.addEventListener('abort', cut);
    child.stdin.on('error', () => undefined);
    const exited = once(child, 'exit').then(() => ({ exitCode: child.exitCode ?? codeOf(child.signalCode) }));
    const ended = Promise.race([exited, lost.promise]).finally(() => cuts.delete(cut));
    ended.catch(() => undefined);
    return { input: child.stdin, output: child.stdout, errors: child.stderr, ended };
  };
  const hosts: LocalHosts = {
    target: TARGET,
    lines,
    connections: 0,
    async connect(target): Promise<RemoteHost> {
      hosts.connections += 1;
      return {
        target,
        start,
        upload: async (file) => writeFile(file.path, file.content(), { mode: file.mode }),
        close: async () => undefined,
      };
    },
    cut() {
      for (const each of cuts) each();
    },
  };
  return hosts;
}

const TARGET: RemoteTarget = {
  name: 'edge-1',
  host: '127.0.0.1',
  port: 22,
  user: 'admin',
  auth: [],
  hostKeys: [],
  jumps: [],
  transport: 'library',
  limits: { connectSeconds: 5, idleTimeoutSeconds: 30 },
};

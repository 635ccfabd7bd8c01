import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { readlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { OperatorError } from '@fenestra/kernel';
import { type CommandOptions, type CommandResult, mustRun, runCommand } from './command.ts';
import type { ControlGroup } from './control-group.ts';
import { childrenOf, killNow, processesInNamespace, programOf } from './process-tree.ts';

/**
 * A set of namespaces (mounts, processes, host name) that lives exactly as long as this process wants it to.
 * Its first process ends when our end of its input closes, even by SIGKILL; the kernel then ends everything
 * else in it, and its mounts are gone with the last process. So no test run can leave anything behind.
 */
export interface Cage {
  /** The same path as seen inside the cage, usable from outside. */
  path(inner: string): string;
  mount(args: readonly string[], signal: AbortSignal): Promise<void>;
  run(argv: readonly string[], options: CommandOptions, signal: AbortSignal): Promise<CommandResult>;
  spawn(argv: readonly string[], options: SpawnOptions): ChildProcess;
  /** Ends, at once, every process in the cage whose program name is not listed. */
  killAll(except?: readonly string[]): Promise<void>;
  /** Ends everything in the cage and returns when it is gone. */
  close(): Promise<void>;
}

// The first process of a PID namespace has to reap orphans; bash does, once it has had its own child.
const FIRST_PROCESS = '/bin/true; echo ready; read -r _';

/** What else is separate in a cage, beside mounts, processes and host name. */
export interface CageParts {
  /** A network without any interface that is up. */
  readonly network?: boolean;
  /** A control group, which everything in the cage is in, and sees as the topmost. */
  readonly group?: ControlGroup;
}

/** Opens a cage. The name becomes its host name. */
export async function openCage(name: string, signal: AbortSignal, parts: CageParts = {}): Promise<Cage> {
  const spaces = namespacesOf(parts);
  const keep = [...spaces, '--pid', '--fork', '--kill-child', '--mount-proc', 'bash', '-c', FIRST_PROCESS];
  const [file = '', ...args] = inGroup(parts, ['unshare', ...keep]);
  const keeper = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const pid = keeper.pid ?? 0;
  const gone = once(keeper, 'exit');
  await Promise.race([once(keeper.stdout, 'data', { signal }), gone.then(refuse)]);
  const inside = (argv: readonly string[]): readonly string[] => inGroup(parts, [...entry(pid, spaces), ...argv]);
  await mustRun(inside(['hostname', name]), {}, signal);
  const spawned: ChildProcess[] = [];
  return cageOf(pid, inside, spawned, async () => {
    keeper.stdin.end();
    // A process that entered stops together with a child that is stopped, and then nothing reaps the child.
    for (const child of spawned) child.kill('SIGKILL');
    await gone;
  });
}

function namespacesOf({ network = false, group }: CageParts): readonly string[] {
  return ['--mount', '--uts', '--ipc', ...(network ? ['--net'] : []), ...(group === undefined ? [] : ['--cgroup'])];
}

function inGroup({ group }: CageParts, argv: readonly string[]): readonly string[] {
  return group?.inside(argv) ?? argv;
}

function cageOf(
  pid: number,
  inside: (argv: readonly string[]) => readonly string[],
  spawned: ChildProcess[],
  close: () => Promise<void>,
): Cage {
  return {
    path: (inner) => `/proc/${pid}/root${inner}`,
    async mount(args, signal) {
      await mustRun(inside(['mount', ...args]), {}, signal);
    },
    run: async (argv, options, signal) => runCommand(inside(argv), options, signal),
    spawn(argv, options) {
      const [file = '', ...args] = inside(argv);
      const child = spawn(file, args, options);
      spawned.push(child);
      return child;
    },
    killAll: async (except = []) => killAllBelow(pid, except),
    close,
  };
}

function entry(pid: number, spaces: readonly string[]): readonly string[] {
  // The keeper itself stays outside the PID namespace it made; its children are in it.
  return ['nsenter', `--target=${pid}`, ...spaces, `--pid=/proc/${pid}/ns/pid_for_children`];
}

async function killAllBelow(keeper: number, except: readonly string[]): Promise<void> {
  const namespace = readlinkSync(`/proc/${keeper}/ns/pid_for_children`);
  const [first] = childrenOf(keeper);
  const isDoomed = (pid: number): boolean => pid !== first && !except.includes(programOf(pid));
  for (let round = 0; round < 250; round++) {
    const doomed = processesInNamespace(namespace).filter(isDoomed);
    if (doomed.length === 0) return;
    for (const pid of doomed) killNow(pid);
    await delay(20);
  }
  throw new OperatorError('TIMED_OUT', 'Cannot end the processes of a test node', { hint: 'Run the tests again.' });
}

function refuse(): never {
  throw new OperatorError('COMMAND_FAILED', 'Cannot make namespaces for a test node', {
    hint: 'Allow this machine or container to mount and to unshare (a container needs --privileged).',
  });
}

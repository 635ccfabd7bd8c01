import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, homedir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemCodeOf } from '@fenestra/kernel';
import type { ServiceSpec } from '@fenestra/platform';
import { READINESS_VARIABLE } from '../service-host/readiness.ts';
import type { ServiceLog } from './service-log.ts';

const DRAIN_MS = 1_000;
const COMMAND_NOT_FOUND = 127;
const COMMAND_NOT_RUNNABLE = 126;

/** A program that runs, or has failed to. */
export interface RunningProgram {
  readonly pid: number | undefined;
  /** Resolves with the exit code, as a shell would count it, when the program and what it had in its group are gone. */
  readonly ended: Promise<number>;
  signal(signalName: NodeJS.Signals): void;
}

/** Starts a service's program in its own process group; its output goes to the log. It never throws. */
export function runProgram(spec: ServiceSpec, readinessFile: string, log: ServiceLog): RunningProgram {
  try {
    const child = start(spec, readinessFile);
    const ended = endOf(child);
    // There is no output of a program for which no pipe could be had.
    child.stdout?.on('data', (text: Buffer) => log.append(text));
    child.stderr?.on('data', (text: Buffer) => log.append(text));
    return { pid: child.pid, ended, signal: (signalName) => signalIfStarted(child, signalName) };
  } catch {
    // Node reports some failures by an event, which is the ordinary way, and others by a throw.
    return { pid: undefined, ended: Promise.resolve(COMMAND_NOT_RUNNABLE), signal: () => undefined };
  }
}

/** A child that never started has no number yet, and a signal to number 0 is one to everybody in our own group. */
function signalIfStarted(child: ChildProcess, signalName: NodeJS.Signals): void {
  if (child.pid !== undefined) child.kill(signalName);
}

function start({ executable, args }: ServiceSpec, readinessFile: string): ChildProcess {
  return spawn(executable, [...args], {
    cwd: '/',
    detached: true,
    env: { ...cleanEnvironment(), [READINESS_VARIABLE]: readinessFile },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function endOf(child: ChildProcess): Promise<number> {
  const closed = once(child, 'close').catch(() => undefined);
  try {
    await once(child, 'exit');
  } catch (error) {
    return systemCodeOf(error) === 'ENOENT' ? COMMAND_NOT_FOUND : COMMAND_NOT_RUNNABLE;
  }
  endGroup(child.pid);
  // What the program wrote last is what the operator wants to read.
  await Promise.race([closed, sleep(DRAIN_MS)]);
  return child.exitCode ?? 128 + constants.signals[child.signalCode ?? 'SIGKILL'];
}

/** Right after its leader's end, while the number still belongs to the group if anyone is left in it. */
function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // No one is left in it.
  }
}

/** The environment of a service: none of what the shell of its caller happened to hold. */
export function cleanEnvironment(): Readonly<Record<string, string>> {
  return {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: homedir(),
    LANG: 'C.UTF-8',
  };
}

import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { type ServiceManager, type ServiceState, throwIfAborted, waitUntil } from '@fenestra/platform';
import { isProcessAlive, sendSignal } from '../host/processes.ts';
import {
  dependencyCycle,
  serviceDisabled,
  serviceFailed,
  serviceNotFound,
  serviceNotRunning,
} from '../service-errors.ts';
import { observeService } from './observe-service.ts';
import { endOrphans, isSettled, supervisorProcesses, supervisorMark } from './supervisor-processes.ts';
import { type ServiceFolder, readSpec } from './service-folder.ts';
import { liveSupervisor } from './supervision-claim.ts';
import { cleanEnvironment } from './run-program.ts';

/** What running services takes. */
export interface SupervisedContext {
  readonly folderOf: (name: string) => ServiceFolder;
  readonly supervisorCommand: readonly string[];
  readonly commandLine: ServiceManager['commandLine'];
}

/** The part of the service manager that has to do with processes. */
export function supervisedRuns(
  context: SupervisedContext,
): Pick<ServiceManager, 'start' | 'stop' | 'restart' | 'control'> {
  return {
    start: (name, signal) => start(context, [name], signal),
    stop: async (name, signal) => stop(name, context.folderOf(name), signal),
    async restart(name, signal) {
      await requireStartable(context, name);
      await stop(name, context.folderOf(name), signal);
      await start(context, [name], signal);
    },
    control: (name) => reload(context, name),
  };
}

/** The names after the first are of services that wait for it. */
async function start(
  context: SupervisedContext,
  [name, ...waiting]: readonly [string, ...string[]],
  signal: AbortSignal,
): Promise<void> {
  throwIfAborted(activityOf(name, 'run'), signal);
  if (waiting.includes(name)) throw dependencyCycle([name, ...waiting].toReversed());
  const folder = context.folderOf(name);
  const dependencies = await requireStartable(context, name);
  for (const dependency of dependencies) await start(context, [dependency, name, ...waiting], signal);
  // A process that was killed may have started a supervisor a moment ago, and a second one would be in its way.
  await waitUntil(activityOf(name, 'settle'), async () => isSettled(folder), signal);
  const { status, supervisor } = await observeService(folder);
  if (supervisor !== undefined) {
    if (status.state === 'running') return;
    if (status.state === 'starting') return waitUntilReady(context, name, ALREADY_THERE, signal);
    // One that waits with a restart, or is about to end, gives way to a new one.
    await stop(name, folder, signal);
  }
  // Orphans are the new supervisor's business.
  await waitUntilReady(context, name, startSupervisor(context.supervisorCommand, folder), signal);
}

/** Stands for a supervisor that someone else has started. */
const ALREADY_THERE: StartedSupervisor = { pid: undefined, hasEnded: () => true, cancel: () => undefined };

/** Returns the names of the services it depends on. */
async function requireStartable({ folderOf }: SupervisedContext, name: string): Promise<readonly string[]> {
  const spec = await readSpec(folderOf(name).spec);
  if (spec === undefined) throw serviceNotFound(name);
  if (spec.startType === 'disabled') throw serviceDisabled(name);
  return spec.dependencies;
}

/**
 * Waits until the program is ready and the supervisor we have started is either the one that manages it or gone:
 * one that comes late must not bring back a service that has been stopped in the meantime.
 */
async function waitUntilReady(
  { folderOf, commandLine }: SupervisedContext,
  name: string,
  started: StartedSupervisor,
  signal: AbortSignal,
): Promise<void> {
  const isReady = async (): Promise<boolean> => {
    // Asked first: a supervisor that has ended has written its last record by then.
    const ended = started.hasEnded();
    const { status, supervisor } = await observeService(folderOf(name));
    const settled = ended || supervisor?.pid === started.pid;
    if (settled && (supervisor === undefined || isOver(status.state))) {
      throw serviceFailed({ name, exitCode: status.exitCode, logsCommand: commandLine('logs', name) });
    }
    return settled && status.state === 'running';
  };
  try {
    await waitUntil(activityOf(name, 'run'), isReady, signal);
  } catch (error) {
    if (signal.aborted && (await liveSupervisor(folderOf(name)))?.pid !== started.pid) started.cancel();
    throw error;
  }
}

function isOver(state: ServiceState): boolean {
  return state === 'failed' || state === 'stopped' || state === 'absent';
}

async function stop(name: string, folder: ServiceFolder, signal: AbortSignal): Promise<void> {
  const activity = activityOf(name, 'stop');
  throwIfAborted(activity, signal);
  const supervisors = await supervisorProcesses(folder);
  for (const { pid } of supervisors) sendSignal(pid, 'SIGTERM');
  for (const supervisor of supervisors)
    await waitUntil(activity, async () => !(await isProcessAlive(supervisor)), signal);
  await endOrphans(folder, signal);
}

async function reload({ folderOf, commandLine }: SupervisedContext, name: string): Promise<void> {
  const folder = folderOf(name);
  const { status, supervisor } = await observeService(folder);
  if (status.state === 'absent') throw serviceNotFound(name);
  const pid = supervisor?.pid ?? status.pid;
  if (status.state !== 'running' || pid === undefined) throw serviceNotRunning(name, commandLine('start', name));
  sendSignal(pid, 'SIGHUP');
}

function activityOf(name: string, what: 'run' | 'settle' | 'stop'): string {
  return `waiting for service "${name}" to ${what}`;
}

/** A supervisor process that was just started, and may find that another has the service already. */
export interface StartedSupervisor {
  /** `undefined` if it could not be started. */
  readonly pid: number | undefined;
  readonly hasEnded: () => boolean;
  readonly cancel: () => void;
}

/** Starts a supervisor that is on when this process ends. */
export function startSupervisor(command: readonly string[], folder: ServiceFolder): StartedSupervisor {
  const [executable = '', ...args] = command;
  const log = openSync(folder.log, 'a', 0o600);
  try {
    const options = { cwd: '/', detached: true, env: { ...cleanEnvironment(), ...supervisorMark(folder) } };
    const child = spawn(executable, [...args, folder.path], { ...options, stdio: ['ignore', log, log] });
    // That it has no pid tells the same.
    child.on('error', () => undefined);
    child.unref();
    return {
      pid: child.pid,
      hasEnded: () => child.pid === undefined || child.exitCode !== null || child.signalCode !== null,
      // A child that never started has no number, and a signal to number 0 goes to everybody in our own group.
      cancel: () => void (child.pid !== undefined && child.kill('SIGTERM')),
    };
  } finally {
    closeSync(log);
  }
}

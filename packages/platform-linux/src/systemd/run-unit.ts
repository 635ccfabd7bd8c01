import { throwIfAborted, waitUntil, type ServiceAction } from '@fenestra/platform';
import type { CommandResult } from '../run-command.ts';
import {
  dependencyCycle,
  serviceDisabled,
  serviceFailed,
  serviceNotFound,
  serviceNotRunning,
} from '../service-errors.ts';
import { isOurs, specOf } from './read-unit.ts';
import { mustSystemctl, systemctl } from './systemctl.ts';
import { unitName } from './unit-text.ts';
import { answerTime, readUnit, showUnit, statusOf } from './units.ts';

/** Starts a service, and those it depends on, and waits until their programs are ready. */
export function startUnit(name: string, signal: AbortSignal): Promise<void> {
  return start([name], signal);
}

/** Stops a service and waits until its processes are gone. */
export async function stopUnit(name: string, signal: AbortSignal): Promise<void> {
  throwIfAborted(`waiting for service "${name}" to stop`, signal);
  if ((await statusOf(name)).state === 'absent') return;
  await mustSystemctl(['stop', unitName(name)], signal);
}

/** Stops and starts a service; one that does not run is started. */
export async function restartUnit(name: string, signal: AbortSignal): Promise<void> {
  const { state, startType } = await statusOf(name);
  if (state === 'absent') throw serviceNotFound(name);
  if (startType === 'disabled') throw serviceDisabled(name);
  await stopUnit(name, signal);
  await startUnit(name, signal);
}

/** Lets a running service take up its changed configuration. */
export async function reloadUnit(name: string): Promise<void> {
  const { state } = await statusOf(name);
  if (state === 'absent') throw serviceNotFound(name);
  if (state !== 'running') throw serviceNotRunning(name, commandLine('start', name));
  await mustSystemctl([...(await reloadCommand(name)), unitName(name)], answerTime());
}

/** Ours takes the signal alone; a reload job would also fail if the program ended over it. Others know their own way. */
async function reloadCommand(name: string): Promise<readonly string[]> {
  const unit = await readUnit(await showUnit(name));
  return unit !== undefined && isOurs(unit) ? ['kill', '--kill-who=main', '--signal=HUP'] : ['reload'];
}

/** The names after the first are of services that wait for it. */
async function start([name, ...waiting]: readonly [string, ...string[]], signal: AbortSignal): Promise<void> {
  const activity = `waiting for service "${name}" to run`;
  throwIfAborted(activity, signal);
  if (waiting.includes(name)) throw dependencyCycle([name, ...waiting].toReversed());
  const { state, startType } = await statusOf(name);
  if (state === 'absent') throw serviceNotFound(name);
  if (state === 'running') return;
  if (startType === 'disabled') throw serviceDisabled(name);
  // systemd by itself waits until a dependency's program has been loaded, not until it is ready.
  for (const dependency of await dependenciesOf(name)) await start([dependency, name, ...waiting], signal);
  // A mere start of a unit that waits for its restart would wait with it, and so would a restart that is counted.
  if (state === 'failed') await systemctl(['reset-failed', unitName(name)], signal);
  const result = await systemctl([state === 'failed' ? 'restart' : 'start', unitName(name)], signal);
  if (result.exitCode !== 0) throw await failure(name, result);
  await waitUntil(activity, () => isReady(name), signal);
}

/** Of a unit that is not ours, systemd alone knows what it needs. */
async function dependenciesOf(name: string): Promise<readonly string[]> {
  const unit = await readUnit(await showUnit(name));
  return unit !== undefined && isOurs(unit) ? specOf(name, unit, false).dependencies : [];
}

async function isReady(name: string): Promise<boolean> {
  const { state } = await statusOf(name);
  if (state === 'failed' || state === 'stopped' || state === 'absent') throw await failure(name);
  return state === 'running';
}

async function failure(name: string, result?: CommandResult): Promise<Error> {
  const { exitCode } = await statusOf(name);
  const reason = result?.stderr.trim().split('\n')[0];
  const logsCommand = commandLine('logs', name);
  return serviceFailed({ name, exitCode, logsCommand, ...(reason === undefined ? {} : { reason }) });
}

/** What an operator types on a machine with systemd. */
export function commandLine(action: ServiceAction, name: string): string {
  return action === 'logs' ? `journalctl --unit ${name} --lines 100` : `systemctl ${action} ${name}`;
}

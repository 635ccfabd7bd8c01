import { readFile } from 'node:fs/promises';
import { fileError, systemCodeOf } from '@fenestra/kernel';
import { requireServiceName, type ServiceStatus, type ServiceState } from '@fenestra/platform';
import { readReadiness, stateOfLiveProcess } from '../service-host/readiness.ts';
import { parseUnit, startTypeOf, type UnitSettings } from './read-unit.ts';
import { mustSystemctl } from './systemctl.ts';
import { readinessFile, unitName } from './unit-text.ts';

const ANSWER_MS = 30_000;

/** A signal for questions to systemd that it answers at once if it is running. */
export function answerTime(): AbortSignal {
  return AbortSignal.timeout(ANSWER_MS);
}

/** What systemd says of a unit, known to it or not. */
export async function showUnit(name: string): Promise<UnitProperties> {
  requireServiceName(name);
  const args = ['show', unitName(name), `--property=${PROPERTIES.join(',')}`];
  return parseProperties(await mustSystemctl(args, answerTime()));
}

/** The settings in the file a unit was loaded from; `undefined` if there is none. */
export async function readUnit({ FragmentPath }: UnitProperties): Promise<UnitSettings | undefined> {
  const text = FragmentPath === undefined || FragmentPath === '' ? undefined : await readIfPresent(FragmentPath);
  return text === undefined ? undefined : parseUnit(text);
}

/** Whether systemd starts the unit with the system. */
export function isEnabled({ UnitFileState }: UnitProperties): boolean {
  return UnitFileState === 'enabled' || UnitFileState === 'enabled-runtime';
}

/** What a service does right now. */
export async function statusOf(name: string): Promise<ServiceStatus> {
  const properties = await showUnit(name);
  const state = unitStateOf(properties);
  if (state === 'absent') return { state };
  const unit = await readUnit(properties);
  const [pid, exitCode] = [mainPidOf(properties), exitCodeOf(properties)];
  return {
    state: state === 'running' ? await liveState(name, properties) : state,
    ...(pid === undefined ? {} : { pid }),
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(unit === undefined ? {} : { startType: startTypeOf(unit, isEnabled(properties)) }),
  };
}

/** The text of a file that may be absent. */
export async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    if (systemCodeOf(cause) === 'ENOENT') return undefined;
    throw fileError(cause, `read "${path}"`);
  }
}

async function liveState(name: string, properties: UnitProperties): Promise<'starting' | 'running'> {
  const pid = mainPidOf(properties);
  if (pid === undefined) return 'running';
  const readiness = await readReadiness(readinessFile(name), pid);
  return stateOfLiveProcess(readiness, aliveMsOf(properties, process.hrtime.bigint()));
}

/** What `systemctl show` is asked for. */
const PROPERTIES = [
  'LoadState',
  'ActiveState',
  'SubState',
  'UnitFileState',
  'FragmentPath',
  'NeedDaemonReload',
  'MainPID',
  'ExecMainCode',
  'ExecMainStatus',
  'ExecMainStartTimestampMonotonic',
  'NRestarts',
  'Restart',
  'RestartUSec',
  'RestartSteps',
  'RestartMaxDelayUSec',
] as const;

/** The answer, as text. */
export type UnitProperties = Readonly<Partial<Record<(typeof PROPERTIES)[number], string>>>;

const KILLED_OR_DUMPED: readonly string[] = ['2', '3'];

/** Reads the `Key=value` lines of `systemctl show`. */
export function parseProperties(text: string): UnitProperties {
  const lines = text.split('\n').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
  return Object.fromEntries(lines.filter(([key]) => PROPERTIES.some((property) => property === key)));
}

/** The state, as far as systemd knows it. A unit whose file is gone but whose process is not is still there. */
export function unitStateOf(properties: UnitProperties): ServiceState {
  const { LoadState, ActiveState } = properties;
  switch (ActiveState) {
    case 'active':
    case 'reloading':
      return 'running';
    case 'activating':
      // Waiting for a restart, which systemd counts as starting, is to us a failure that has not been healed yet.
      return waitsForRestart(properties) ? 'failed' : 'starting';
    case 'deactivating':
      return 'stopping';
    case undefined:
    default:
      if (LoadState === 'not-found') return 'absent';
      return ActiveState === 'failed' ? 'failed' : 'stopped';
  }
}

/** What comes before the program in our units is the further part of the wait; see `growingDelays`. */
function waitsForRestart({ SubState, NRestarts }: UnitProperties): boolean {
  if (SubState?.startsWith('auto-restart') === true) return true;
  return SubState === 'start-pre' && Number(NRestarts ?? 0) > 0;
}

/** The number of the main process, while there is one. */
export function mainPidOf({ MainPID }: UnitProperties): number | undefined {
  const pid = Number(MainPID ?? 0);
  return pid > 0 ? pid : undefined;
}

/** How the main process last ended: its exit code, or 128 and the signal's number, as shells count. */
export function exitCodeOf({ ExecMainCode, ExecMainStatus }: UnitProperties): number | undefined {
  if (ExecMainCode === undefined || ExecMainCode === '0') return undefined;
  return Number(ExecMainStatus ?? 0) + (KILLED_OR_DUMPED.includes(ExecMainCode) ? 128 : 0);
}

/** How long the main process has been there. systemd counts on the same clock as `process.hrtime`. */
export function aliveMsOf({ ExecMainStartTimestampMonotonic }: UnitProperties, nowNanoseconds: bigint): number {
  return Number(nowNanoseconds / 1_000_000n) - Number(ExecMainStartTimestampMonotonic ?? 0) / 1000;
}

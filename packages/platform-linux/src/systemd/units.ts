import { readFile } from 'node:fs/promises';
import { fileError, systemCodeOf } from '@fenestra/kernel';
import { requireServiceName, type ServiceStatus } from '@fenestra/platform';
import { readReadiness, stateOfLiveProcess } from '../service-host/readiness.ts';
import { parseUnit, startTypeOf, type UnitSettings } from './read-unit.ts';
import { mustSystemctl } from './systemctl.ts';
import {
  aliveMsOf,
  exitCodeOf,
  mainPidOf,
  parseProperties,
  PROPERTIES,
  type UnitProperties,
  unitStateOf,
} from './unit-state.ts';
import { readinessFile, unitName } from './unit-text.ts';

const ANSWER_MS = 30_000;

/** A signal for questions to systemd that it answers at once if it is alive. */
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

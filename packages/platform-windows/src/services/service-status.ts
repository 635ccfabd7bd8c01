import type { ServiceState, ServiceStatus } from '@fenestra/platform';
import type { ServiceStatusRecord } from '../bindings/advapi32-services.ts';
import type { Pointer, Native } from '../native.ts';
import { WIN32, must } from '../win32-error.ts';

const STATUS_SIZE = 36;
const STOPPED = 1;
const OWN_PROCESS = 0x10;

const STATES: Readonly<Record<number, ServiceState>> = {
  1: 'stopped',
  2: 'starting',
  3: 'stopping',
  4: 'running',
  // A paused service has its process: it runs, as far as its state goes.
  5: 'running',
  6: 'running',
  7: 'running',
};
/** Paused, or on the way there; one that is instructed to go on counts until it does. */
const PAUSED: readonly number[] = [5, 6, 7];

/** What the manager says about a service it has opened. */
export function queryStatus(native: Native, service: Pointer): ServiceStatusRecord {
  const status: ServiceStatusRecord = {
    type: 0,
    state: 0,
    accepts: 0,
    exitCode: 0,
    specificExitCode: 0,
    checkPoint: 0,
    waitHint: 0,
    pid: 0,
    flags: 0,
  };
  must(native, native.services.QueryServiceStatusEx(service, 0, status, STATUS_SIZE, [0]), 'query a service');
  return status;
}

/** The port's view of the manager's record. */
export function toStatus(record: ServiceStatusRecord): Omit<ServiceStatus, 'startType'> {
  const exitCode = exitCodeOf(record);
  return {
    state: toState(record),
    ...(record.pid === 0 ? {} : { pid: record.pid }),
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(isPaused(record) ? { paused: true } : {}),
  };
}

/** Whether the service has been instructed to do nothing for now; some wrappers say so of a program that keeps crashing. */
export function isPaused({ state }: ServiceStatusRecord): boolean {
  return PAUSED.includes(state);
}

/** Stopped with an error is `failed`; never started is not an error. */
export function toState(record: ServiceStatusRecord): ServiceState {
  const state = STATES[record.state] ?? 'stopped';
  return state === 'stopped' && (exitCodeOf(record) ?? 0) !== 0 ? 'failed' : state;
}

/** Whether the process ends with the service, which is not so for services that share one. */
export function ownsProcess(record: ServiceStatusRecord): boolean {
  return (record.type & OWN_PROCESS) !== 0;
}

function exitCodeOf(record: ServiceStatusRecord): number | undefined {
  if (record.state !== STOPPED || record.exitCode === WIN32.SERVICE_NEVER_STARTED) return undefined;
  return record.exitCode === WIN32.SERVICE_SPECIFIC_ERROR ? record.specificExitCode : record.exitCode;
}

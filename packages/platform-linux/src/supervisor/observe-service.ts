import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessIdentity, ServiceState, ServiceStatus } from '@fenestra/platform';
import { isProcessAlive, readBootId } from '../host/processes.ts';
import { readReadiness, stateOfLiveProcess } from '../service-host/readiness.ts';
import { isSameProcess, monotonicMs, readRecord, type SupervisorRecord } from './supervisor-record.ts';
import { type ServiceFolder, readSpec } from './service-folder.ts';
import { liveSupervisor } from './supervision-claim.ts';

/** A service's status, and who manages it, if anyone does. */
export interface Observation {
  readonly status: ServiceStatus;
  readonly supervisor: ProcessIdentity | undefined;
}

/** How long a supervisor may take to write down the end of its program. */
const WRITING_MS = 1_000;
const LOOK_AGAIN_MS = 10;

/** Looks at the files and at the processes they speak of; a file alone is never believed. */
export async function observeService(folder: ServiceFolder): Promise<Observation> {
  const until = monotonicMs() + WRITING_MS;
  for (;;) {
    const observation = await look(folder);
    if (!observation.isBeingWritten || monotonicMs() > until) return observation;
    await sleep(LOOK_AGAIN_MS);
  }
}

/** `isBeingWritten`: the program has ended, and its supervisor has not said yet how. */
async function look(folder: ServiceFolder): Promise<Observation & { readonly isBeingWritten: boolean }> {
  const [spec, supervisor, record] = await Promise.all([
    readSpec(folder.spec),
    liveSupervisor(folder),
    readRecord(folder.record),
  ]);
  const outdated = supervisor !== undefined && (record === undefined || !isSameProcess(supervisor, record.supervisor));
  const status = outdated ? BEGINNING : await statusFrom(folder, record, supervisor !== undefined);
  const absent = spec === undefined && supervisor === undefined && status.pid === undefined;
  const isBeingWritten =
    supervisor !== undefined && !outdated && record?.phase === 'running' && status.pid === undefined;
  if (absent) return { status: { state: 'absent' }, supervisor, isBeingWritten };
  return {
    status: spec === undefined ? status : { ...status, startType: spec.startType },
    supervisor,
    isBeingWritten,
  };
}

const BEGINNING: ServiceStatus = { state: 'starting' };

async function statusFrom(
  folder: ServiceFolder,
  record: SupervisorRecord | undefined,
  supervised: boolean,
): Promise<ServiceStatus> {
  if (record === undefined) return { state: 'stopped' };
  const { program, exitCode } = record;
  if (program !== undefined && (await isProcessAlive(program))) {
    return { state: await liveState(folder, record, program.pid), pid: program.pid };
  }
  const state = await deadState(record, supervised);
  return exitCode === undefined ? { state } : { state, exitCode };
}

async function liveState(folder: ServiceFolder, record: SupervisorRecord, pid: number): Promise<ServiceState> {
  if (record.phase === 'stopping') return 'stopping';
  const readiness = await readReadiness(folder.readiness, pid);
  return stateOfLiveProcess(readiness, monotonicMs() - (record.programStartedMs ?? 0));
}

/** No process runs. Anyone who was killed with his boots on has failed; what a reboot has ended has merely stopped. */
async function deadState({ phase, supervisor }: SupervisorRecord, supervised: boolean): Promise<ServiceState> {
  switch (phase) {
    case 'stopped':
      return 'stopped';
    case 'stopping':
      return supervised ? 'stopping' : 'stopped';
    case 'running':
    case 'waiting':
    case 'failed':
      return supervisor.bootId === (await readBootId()) ? 'failed' : 'stopped';
  }
}

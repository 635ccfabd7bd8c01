import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemCodeOf } from '@fenestra/kernel';
import type { ProcessIdentity, ServiceSpec, RecoveryPolicy } from '@fenestra/platform';
import { identifyProcess } from '../host/processes.ts';
import { NOTHING_TO_RUN } from '../service-host/posix-program-host.ts';
import { endOrphans } from './supervisor-processes.ts';
import { type RunningProgram, runProgram } from './run-program.ts';
import { type ServiceFolder, serviceFolder, readSpec } from './service-folder.ts';
import { openServiceLog, type ServiceLog } from './service-log.ts';
import { receiveSupervisorOrders, type SupervisorOrders } from './supervisor-orders.ts';
import { claimSupervision } from './supervision-claim.ts';
import { monotonicMs, type SupervisorRecord, writeRecord } from './supervisor-record.ts';

const STOP_GRACE_MS = 60_000;
const NO_SPEC_EXIT_CODE = 1;
/** How often a supervisor that waits looks whether its service has been forgotten. */
const LOOK_MS = 1_000;

/**
 * The whole life of a supervisor process: runs the service of this folder until it is instructed to stop (SIGTERM) or the
 * program ends by itself without an error, and applies the recovery policy in between. A service whose spec is deleted
 * is forgotten: its program may run until it ends, and is the last. Returns its own exit code.
 */
export async function superviseService(folderPath: string): Promise<number> {
  process.umask(0o077);
  const folder = serviceFolder(folderPath);
  const orders = receiveSupervisorOrders();
  const claim = await claimSupervision(folder);
  if (claim === undefined) return 0;
  const log = openServiceLog(folder.log);
  try {
    await endOrphans(folder, neverFires());
    return await supervise({ folder, log, orders, self: claim.holder });
  } finally {
    log.close();
    await (isForgotten(folder) ? claim.discard() : claim.release());
    orders.close();
  }
}

/** Ending orphans ends by itself, by force if need be; a stop that comes in the meantime is obeyed right after. */
function neverFires(): AbortSignal {
  return new AbortController().signal;
}

interface Supervision {
  readonly folder: ServiceFolder;
  readonly log: ServiceLog;
  readonly orders: SupervisorOrders;
  readonly self: ProcessIdentity;
}

async function supervise(supervision: Supervision): Promise<number> {
  const { folder, log, orders } = supervision;
  const recovery = recoveryCount();
  let spec = await readSpec(folder.spec);
  if (spec === undefined) return NO_SPEC_EXIT_CODE;
  if (orders.stop.aborted) return 0;
  for (;;) {
    const exitCode = await runOnce(supervision, spec);
    if (orders.stop.aborted || isGoodEnd(spec, exitCode)) return ended(supervision, 'stopped', exitCode);
    const delay = recovery.afterFailure(spec.recovery, monotonicMs());
    if (delay === undefined || isForgotten(folder)) return ended(supervision, 'failed', exitCode);
    note(log, `the program ended with code ${exitCode}; it is started again in ${delay} s`);
    record(supervision, { phase: 'waiting', exitCode });
    await sleepUnlessOver(delay * 1000, supervision);
    if (orders.stop.aborted || isForgotten(folder)) return ended(supervision, 'stopped', exitCode);
    // A spec that was changed in the meantime counts from the next start on; of one that cannot be read the last holds.
    spec = (await readSpec(folder.spec).catch(() => undefined)) ?? spec;
  }
}

/** A program that is not ours may end with a good word although no one asked it to. */
function isGoodEnd({ rights }: ServiceSpec, exitCode: number): boolean {
  return exitCode === (rights === 'all' ? NOTHING_TO_RUN : 0);
}

async function runOnce(supervision: Supervision, spec: ServiceSpec): Promise<number> {
  const { folder, log, orders } = supervision;
  const program = runProgram(spec, folder.readiness, log);
  const identity = program.pid === undefined ? undefined : await identifyProcess(program.pid).catch(() => undefined);
  const known = identity === undefined ? {} : { program: identity, programStartedMs: monotonicMs() };
  record(supervision, { phase: 'running', ...known });
  const stopWatching = orders.attach({
    stop: () => {
      record(supervision, { phase: 'stopping', ...known });
      askToStop(program);
    },
    reload: () => program.signal('SIGHUP'),
  });
  try {
    return await program.ended;
  } finally {
    stopWatching();
  }
}

function askToStop(program: RunningProgram): void {
  program.signal('SIGTERM');
  const force = setTimeout(() => program.signal('SIGKILL'), STOP_GRACE_MS);
  void program.ended.finally(() => clearTimeout(force));
}

function ended(supervision: Supervision, phase: 'stopped' | 'failed', exitCode: number): number {
  note(supervision.log, `the program ended with code ${exitCode}; the service is ${phase}`);
  record(supervision, { phase, exitCode });
  return 0;
}

/** A service goes on with its supervisor although no one can read of it; what comes next is written down again. */
function record({ folder, log, self }: Supervision, what: Omit<SupervisorRecord, 'supervisor'>): void {
  try {
    writeRecord(folder.record, { supervisor: self, ...what });
  } catch (error) {
    note(log, `cannot write down that the service is ${what.phase} (${systemCodeOf(error)})`);
  }
}

function note(log: ServiceLog, line: string): void {
  log.append(`${new Date().toISOString()} supervisor: ${line}\n`);
}

async function sleepUnlessOver(milliseconds: number, { folder, orders: { stop } }: Supervision): Promise<void> {
  const end = monotonicMs() + milliseconds;
  while (!stop.aborted && !isForgotten(folder) && monotonicMs() < end) {
    const left = Math.min(end - monotonicMs(), LOOK_MS);
    await sleep(left, undefined, { signal: stop }).catch(() => undefined);
  }
}

function isForgotten(folder: ServiceFolder): boolean {
  return !existsSync(folder.spec);
}

/** Counts failures and shows how long to wait after each. */
export interface RecoveryCount {
  /** The wait in seconds after a failure at this time; `undefined` if the policy has no restarts. */
  afterFailure(policy: RecoveryPolicy, nowMs: number): number | undefined;
}

/** A count that begins again once there was no failure for as long as the policy says. */
export function recoveryCount(): RecoveryCount {
  let failures = 0;
  let lastFailureMs = Number.NEGATIVE_INFINITY;
  return {
    afterFailure({ restartDelaysSeconds, resetAfterSeconds }, nowMs) {
      if (nowMs - lastFailureMs >= resetAfterSeconds * 1000) failures = 0;
      const delay = restartDelaysSeconds[Math.min(failures, restartDelaysSeconds.length - 1)];
      failures += 1;
      lastFailureMs = nowMs;
      return delay;
    },
  };
}

import { get as getHttp } from 'node:http';
import { get as getHttps } from 'node:https';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

/** What to ask, and of which process on this system. */
export interface StallOrder {
  readonly url: string;
  readonly pid: number;
}

/** What was seen until the watch ended. */
export interface StallReport {
  readonly probes: number;
  readonly failures: readonly string[];
  /** The most processor time that one thread of the server spent while one caller waited for an answer. */
  readonly longestBusyMs: number;
  /** The longest wait itself, which other programs on the machine lengthen. */
  readonly longestWaitMs: number;
}

const EVERY_MS = 50;
const GIVE_UP_MS = 30_000;
/** The kernel's clock tick, in which it counts processor time. */
const TICK_MS = 10;

const { url, pid }: StallOrder = workerData;
const stopped = new AbortController();
let report: StallReport = { probes: 0, failures: [], longestBusyMs: 0, longestWaitMs: 0 };
parentPort?.on('message', () => stopped.abort());

while (!stopped.signal.aborted) {
  await probe();
  await sleep(EVERY_MS);
}
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- A worker's port has no origin.
parentPort?.postMessage(report);
parentPort?.close();

async function probe(): Promise<void> {
  const before = threadTicks();
  const begun = performance.now();
  const failure = await ask().then(
    () => undefined,
    (error: unknown) => String(error),
  );
  const waited = performance.now() - begun;
  const busy = busiest(before, threadTicks());
  report = {
    probes: report.probes + 1,
    failures: failure === undefined ? report.failures : [...report.failures, failure],
    longestBusyMs: Math.max(report.longestBusyMs, Math.min(busy, waited)),
    longestWaitMs: Math.max(report.longestWaitMs, waited),
  };
}

async function ask(): Promise<void> {
  const get = url.startsWith('https:') ? getHttps : getHttp;
  await new Promise<void>((resolve, reject) => {
    const signal = AbortSignal.timeout(GIVE_UP_MS);
    get(url, { rejectUnauthorized: false, signal }, (response) => {
      response.resume().on('end', resolve).on('error', reject);
    }).on('error', reject);
  });
}

/** Ticks on a processor, by thread: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
function threadTicks(): ReadonlyMap<string, number> {
  const threads = readdirSync(`/proc/${pid}/task`);
  return new Map(threads.map((thread) => [thread, ticksOf(thread)]));
}

function ticksOf(thread: string): number {
  try {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    // The thread ended after the folder was listed.
    return 0;
  }
}

function busiest(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): number {
  return Math.max(0, ...[...after].map(([thread, ticks]) => (ticks - (before.get(thread) ?? ticks)) * TICK_MS));
}

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { constants } from 'node:os';
import { win32 } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { childEnvironment, type HostFacts } from '@fenestra/platform';
import type { FarEndPorts, JobFolder } from './job-folder.ts';
import type { FarEndExit, FarEndJob } from './messages.ts';

const POLL_MS = 200;
const UNSTARTABLE = 127;

/** Runs a job's command until it ends: keeps its output, enforces its limit, forwards a stop, records its exit. */
export async function holdJob(
  folder: JobFolder,
  job: FarEndJob,
  ports: FarEndPorts,
  signal: AbortSignal,
): Promise<void> {
  await ports.files.replace(folder.holderFile, JSON.stringify(await ports.host.self()));
  const { child, exitCode } = await startCommand(folder, job, ports);
  const stopped = await watch(child, exitCode, { folder, job, ports, signal });
  const exit: FarEndExit = { exitCode: await exitCode, endedAt: ports.now().toISOString(), stopped };
  await ports.files.replace(folder.exitFile, JSON.stringify(exit));
}

interface StartedCommand {
  readonly child: ChildProcess;
  readonly exitCode: Promise<number>;
}

/** The command learns what to do from its input, which stays open for as long as it shall go on. */
async function startCommand(folder: JobFolder, job: FarEndJob, { ownCommand }: FarEndPorts): Promise<StartedCommand> {
  await using result = await open(folder.resultFile, 'a', 0o600);
  await using progress = await open(folder.progressFile, 'a', 0o600);
  const [program = '', ...first] = ownCommand;
  const child = spawn(program, [...first, 'far-end', 'child'], {
    cwd: job.folder,
    // Its own group, so that all of it can be ended at once.
    detached: true,
    env: childEnvironment(),
    windowsHide: true,
    stdio: ['pipe', result.fd, progress.fd],
  });
  child.stdin?.on('error', () => undefined);
  child.stdin?.write(`${JSON.stringify(job)}\n`);
  return { child, exitCode: endOf(child) };
}

async function endOf(child: ChildProcess): Promise<number> {
  try {
    await once(child, 'exit');
  } catch {
    return UNSTARTABLE;
  }
  return child.exitCode ?? 128 + constants.signals[child.signalCode ?? 'SIGKILL'];
}

interface Watch {
  readonly folder: JobFolder;
  readonly job: FarEndJob;
  readonly ports: FarEndPorts;
  readonly signal: AbortSignal;
}

/** Waits for the command's end, and brings it about where it has to be; says why. */
async function watch(child: ChildProcess, ended: Promise<number>, job: Watch): Promise<FarEndExit['stopped']> {
  const over = ended.then(() => 'over' as const);
  const reason = await reasonToStop(over, job);
  if (reason === 'over') return null;
  child.stdin?.end();
  const waited = await Promise.race([over, sleep(job.job.limits.stopSeconds * 1000, undefined, { ref: false })]);
  if (waited !== 'over' && child.pid !== undefined) await endTree(job.ports.os, child.pid);
  return reason;
}

async function reasonToStop(
  over: Promise<'over'>,
  { folder, job, signal }: Watch,
): Promise<'over' | 'asked' | 'limit'> {
  const limit = performance.now() + job.limits.commandSeconds * 1000;
  for (;;) {
    // The command keeps this process alive; after its end nothing does.
    if ((await Promise.race([over, sleep(POLL_MS, undefined, { ref: false })])) === 'over') return 'over';
    if (performance.now() > limit) return 'limit';
    if (signal.aborted || existsSync(folder.stopFile)) return 'asked';
  }
}

/** Ends a process that leads its own group, and all that it has started, by force. */
async function endTree(os: HostFacts['os'], pid: number): Promise<void> {
  if (os === 'linux') return endGroup(pid);
  const taskkill = win32.join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'taskkill.exe');
  // One that has ended in the meantime is not a failure; one that cannot be ended is found out by waiting for it.
  const options = { windowsHide: true, env: childEnvironment() };
  await promisify(execFile)(taskkill, ['/PID', String(pid), '/T', '/F'], options).catch(() => undefined);
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

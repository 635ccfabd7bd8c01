import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, copyFile, mkdir, open, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileError, OperatorError, systemCodeOf } from '@fenestra/kernel';
import { childEnvironment, waitUntil, within } from '@fenestra/platform';
import { type FarEndPorts, type JobFolder, jobState } from './job-folder.ts';
import type { FarEndJob, FarEndRecord } from './messages.ts';

const START_LIMIT_MS = 60_000;

/** Takes a job on unless it is in hand already. Returns whether it was found begun. */
export async function startJob(
  folder: JobFolder,
  job: FarEndJob,
  ports: FarEndPorts,
  signal: AbortSignal,
): Promise<{ readonly found: boolean }> {
  const state = await jobState(folder, ports);
  // No one can say how a job ended that is gone; keadm's own journal knows what it did, so it is safe to do it again.
  if (state.kind === 'gone') await forgetJob(folder, ports, signal);
  else if (state.kind !== 'absent') return { found: true };
  await prepare(job, folder, ports);
  if (!(await claim(folder, await recordOf(job, ports)))) return { found: true };
  await handOver(job, folder, ports, signal);
  return { found: false };
}

async function forgetJob({ path }: JobFolder, { files }: FarEndPorts, signal: AbortSignal): Promise<void> {
  await files.removeTree(path, dirname(path), signal);
}

async function prepare(job: FarEndJob, folder: JobFolder, { access }: FarEndPorts): Promise<void> {
  for (const path of [folder.path, job.folder]) await mkdir(path, { recursive: true, mode: 0o700 });
  await access.makePrivate(folder.path);
  await Promise.all(job.save.map(async ({ from, to }) => saveOnce(from, to)));
}

/** What is there counts as it was before the first try; a machine without it has nothing to save. */
async function saveOnce(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_EXCL).catch((cause: unknown) => {
    if (!['ENOENT', 'EEXIST'].includes(systemCodeOf(cause))) throw fileError(cause, `save "${from}"`);
  });
}

async function recordOf(job: FarEndJob, { host, now }: FarEndPorts): Promise<FarEndRecord> {
  return { id: job.id, shown: job.shown, begunAt: now().toISOString(), starter: await identityOf(host) };
}

async function identityOf(host: FarEndPorts['host']): Promise<FarEndRecord['starter']> {
  const { pid, startedAt, bootId } = await host.self();
  return { pid, startedAt, bootId };
}

/** Anyone who makes the file has the job; a second caller at the same moment finds it taken. */
async function claim({ recordFile }: JobFolder, record: FarEndRecord): Promise<boolean> {
  try {
    await using file = await open(recordFile, 'wx', 0o600);
    await file.writeFile(JSON.stringify(record));
    await file.sync();
    return true;
  } catch (error) {
    if (systemCodeOf(error) === 'EEXIST') return false;
    throw fileError(error, `write "${recordFile}"`);
  }
}

/** Starts the holder, in its own session and with nothing of ours open, and gives it the job. */
async function handOver(job: FarEndJob, folder: JobFolder, ports: FarEndPorts, signal: AbortSignal): Promise<void> {
  const [program = '', ...first] = ports.ownCommand;
  const holder = spawn(program, [...first, 'far-end', 'hold', folder.path], {
    detached: true,
    env: childEnvironment(),
    windowsHide: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const failed = once(holder, 'exit').then(async () => text(holder.stderr), String);
  holder.stdin.on('error', () => undefined);
  holder.stdin.end(JSON.stringify(job));
  const taken = waitUntil(
    'starting the command',
    async () => (await jobState(folder, ports)).kind !== 'starting',
    within(START_LIMIT_MS, signal),
  );
  const said = await Promise.race([taken, failed]).catch((error: unknown) => {
    // One that comes to it later would do the job beside anyone who is given it next.
    holder.kill('SIGKILL');
    throw error;
  });
  if (said !== undefined && (await jobState(folder, ports)).kind === 'starting') throw notHeld(said);
  holder.stderr.destroy();
  holder.unref();
}

function notHeld(said: string): OperatorError {
  return new OperatorError(
    'COMMAND_FAILED',
    `Cannot start the command: ${said.trim() || 'its supervising process exited immediately'}`,
    {
      hint: 'Check whether this machine can start programs, and whether it is out of memory or processes.',
    },
  );
}

/** Asks a job that is running to stop, and waits until it has; its holder uses force if it must. */
export async function stopJob(folder: JobFolder, ports: FarEndPorts, signal: AbortSignal): Promise<void> {
  const isActive = async (): Promise<boolean> => ['starting', 'running'].includes((await jobState(folder, ports)).kind);
  if (!(await isActive())) return;
  await writeFile(folder.stopFile, '', { mode: 0o600 });
  await waitUntil('stopping the command', async () => !(await isActive()), signal);
}

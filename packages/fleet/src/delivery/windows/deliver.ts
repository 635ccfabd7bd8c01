import { join, win32 } from 'node:path';
import type { RemoteFile } from '@fenestra/platform';
import { type Payload, type Missing, type Places, runName, type Task } from '../far-system.ts';
import { notDelivered } from '../failures.ts';
import { counted, fileBytes, type Parcel, parcelFiles } from '../parcel.ts';
import { type CommandEnd, runRemote } from '../remote-command.ts';
import type { Program } from '../worker-options.ts';
import { callProgram, isProgramWhole, removeProgram, WINDOWS_BASE, windowsPlaces } from './own-program.ts';

/** SYSTEM and the administrators, by numbers that are the same in every language. */
const OWNERS = '/grant *S-1-5-18:(OI)(CI)F /grant *S-1-5-32-544:(OI)(CI)F';

/** Sends the program by SFTP and everything else through it. */
export async function windowsDeliver(task: Task, payload: Payload, missing: Missing): Promise<void> {
  const { node, context } = task;
  const places = windowsPlaces(runName(context.runId, node.name), payload.program.sha256);
  const lacksProgram = missing.program || !(await keepsProgram(task, places, payload.program));
  const total = missing.bytes + (lacksProgram && !missing.program ? payload.program.size : 0);
  let done = 0;
  const count = (bytes: number): void => context.progress((done += bytes), total);
  if (lacksProgram) await sendProgram(task, places, payload.program, count);
  if (payload.parcel.entries.length > 0) await sendParcel(task, places, payload.parcel, count);
}

/** Whether the program that is there can be used; a damaged one is removed. */
async function keepsProgram(task: Task, places: Places, program: Program): Promise<boolean> {
  if (await isProgramWhole(task, places, program)) return true;
  task.context.log('The program in its store is damaged; it is removed and sent again');
  await removeProgram(task, places);
  return false;
}

/** It gets its final name by itself, once it has found its own digest right. */
async function sendProgram(task: Task, places: Places, program: Program, count: Count): Promise<void> {
  const { host, signal } = task;
  const folder = win32.dirname(places.program);
  const arrived = win32.join(folder, 'keadm-arrived.exe');
  // What is there already is not a failure, and what is missing shows at the next step.
  const line = `cmd /c "mkdir ${folder} & icacls ${WINDOWS_BASE} /inheritance:r ${OWNERS}"`;
  await runRemote(host, { line, activity: 'making its folder' }, signal);
  await host.upload(remoteFile(arrived, program, count), signal);
  const words = ['far-end', 'settle', '--sha256', program.sha256, '--to', places.program, '--private', WINDOWS_BASE];
  await requireSuccess(task, callProgram(task, arrived, { words, activity: 'checking the program that was sent' }));
}

async function sendParcel(task: Task, { program, filesFolder }: Places, parcel: Parcel, count: Count): Promise<void> {
  const words = ['far-end', 'unpack', filesFolder];
  await requireSuccess(
    task,
    callProgram(task, program, { words, activity: 'sending it the files', input: parcelBytes(parcel, count) }),
  );
}

type Count = (bytes: number) => void;

async function* parcelBytes(parcel: Parcel, count: Count): AsyncGenerator<Uint8Array | string> {
  yield `${JSON.stringify(parcel.entries)}\n`;
  for (const { path, size } of parcelFiles(parcel)) yield* counted(fileBytes(join(parcel.folder, path), size), count);
}

function remoteFile(path: string, { path: from, size }: Program, count: Count): RemoteFile {
  // OpenSSH for Windows takes slashes, and the drive as the first folder.
  return { path: path.replaceAll('\\', '/'), mode: 0o700, size, content: () => counted(fileBytes(from, size), count) };
}

async function requireSuccess({ node }: Task, call: Promise<CommandEnd>): Promise<void> {
  const { exitCode, errors } = await call;
  if (exitCode !== 0)
    throw notDelivered(node.name, errors === '' ? `the program there ended with ${exitCode}` : errors);
}

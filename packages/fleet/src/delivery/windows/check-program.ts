import { win32 } from 'node:path';
import type { Places, Task } from '../far-system.ts';
import { runRemote } from '../remote-command.ts';
import type { Program } from '../worker-options.ts';
import { callProgram } from './call-program.ts';
import { digestIn, digestLine } from './digest-line.ts';

const ACTIVITY = 'checking the program that is there';

/**
 * Whether the program in the store is still what was sent: a disk, or whatever cleans the machine up, may have damaged it
 * since. Windows' own program makes the digest, or else the stored one itself, which then at least shows that it starts.
 */
export async function isProgramWhole(task: Task, { program: path }: Places, program: Program): Promise<boolean> {
  const { output } = await runRemote(task.host, { line: digestLine(path), activity: ACTIVITY }, task.signal);
  const found = digestIn(output) ?? (await ownDigest(task, path));
  return found === program.sha256;
}

/** Removes a program that is no longer what it was, with its folder in the store. */
export async function removeProgram({ host, signal }: Task, { program }: Places): Promise<void> {
  const line = `cmd /c "rmdir /s /q ${win32.dirname(program)}"`;
  await runRemote(host, { line, activity: 'removing a damaged program' }, signal);
}

async function ownDigest(task: Task, path: string): Promise<string | undefined> {
  const { output } = await callProgram(task, path, { words: ['far-end', 'digest', path], activity: ACTIVITY });
  return digestIn(output);
}

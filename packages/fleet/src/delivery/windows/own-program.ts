import { win32 } from 'node:path';
import { placesOf, type Places, type ProgramCall, type Task } from '../far-system.ts';
import { type CommandEnd, runRemote } from '../remote-command.ts';
import type { Program } from '../worker-options.ts';

/** Only administrators can create folders here, so no one puts a program there first; and it has no spaces. */
export const WINDOWS_BASE = 'C:\\windows\\fenestra';

/** Where things of a run are. */
export function windowsPlaces(name: string, sha256: string): Places {
  return placesOf(win32, {
    program: win32.join(WINDOWS_BASE, 'store', sha256, 'keadm.exe'),
    runFolder: win32.join(WINDOWS_BASE, 'runs', name),
    agentConfig: 'C:\\etc\\kubeedge\\config\\edgecore.yaml',
  });
}

/** What cmd and PowerShell both take as it is. */
const PLAIN = /^[A-Za-z0-9\\:./=_-]+$/;

interface WindowsCall extends Omit<ProgramCall, 'input'> {
  readonly input?: AsyncIterable<Uint8Array | string>;
}

/** Runs our own program, whose path and words have nothing that a shell could misread. */
export async function callProgram(
  { host, signal }: Pick<Task, 'host' | 'signal'>,
  program: string,
  { words, ...rest }: WindowsCall,
): Promise<CommandEnd> {
  return runRemote(host, { ...rest, line: windowsLine([program, ...words]) }, signal);
}

/** A command line that reads the same in cmd and in PowerShell, because nothing in it needs quotes. */
export function windowsLine(words: readonly string[]): string {
  const odd = words.find((word) => !PLAIN.test(word));
  if (odd !== undefined) throw new Error(`"${odd}" cannot be quoted for all Windows shells`);
  return words.join(' ');
}

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

/** Has Windows' own program make the digest of a file. Not every machine has it. */
export function digestLine(path: string): string {
  return windowsLine(['certutil', '-hashfile', path, 'SHA256']);
}

/** The digest on its own line; older versions of Windows put blanks between its bytes. */
export function digestIn(output: string): string | undefined {
  const lines = output.split('\n').map((line) => line.replaceAll(/\s/g, '').toLowerCase());
  return lines.find((line) => /^[0-9a-f]{64}$/.test(line));
}

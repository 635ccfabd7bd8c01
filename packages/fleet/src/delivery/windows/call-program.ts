import type { ProgramCall, Task } from '../far-system.ts';
import { runRemote, type CommandEnd } from '../remote-command.ts';

/** What cmd and PowerShell both take as it is. */
const PLAIN = /^[A-Za-z0-9\\:./=_-]+$/;

/** A call with as much input as it takes. */
export interface WindowsCall extends Omit<ProgramCall, 'input'> {
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
  if (odd !== undefined) throw new Error(`"${odd}" cannot stand in a command line for every shell of Windows`);
  return words.join(' ');
}

import { writeFile } from 'node:fs/promises';
import { fileError, OperatorError, systemCodeOf } from '@fenestra/kernel/errors';
import { readText } from '@fenestra/platform';
import type { KeadmEnvironment } from '../platform.ts';

/** The text of a file that an operator names; "-" is standard input. */
export async function readGivenText({ readInput }: Pick<KeadmEnvironment, 'readInput'>, file: string): Promise<string> {
  return file === '-' ? readInput() : readText(file);
}

/** Writes a file that only its owner may read, since secrets may come into it. One that is there already stays. */
export async function writeNewFile(path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: 0o600, flag: 'wx' }).catch((cause: unknown) => {
    throw systemCodeOf(cause) === 'EEXIST' ? existing(path) : fileError(cause, `write "${path}"`);
  });
}

function existing(path: string): OperatorError {
  return new OperatorError('USAGE', `Cannot write "${path}": the file already exists`, {
    hint: 'Give another file name.',
  });
}

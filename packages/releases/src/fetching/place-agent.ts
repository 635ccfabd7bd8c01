import { chmod } from 'node:fs/promises';
import { fileError } from '@fenestra/kernel';
import { type FileStore, EXECUTABLE_MODE } from '@fenestra/platform';

/** Where an agent is until it is whole and proved: beside its place, so that it comes there in one move. */
export function stagedAgent(to: string): string {
  return `${to}.fetched`;
}

/** Moves a proved file into place as a program, although the old one may be running. On one disk only: else `FILE_FAILED`. */
export async function moveIntoPlace(from: string, to: string, files: FileStore): Promise<void> {
  await chmod(from, EXECUTABLE_MODE).catch((cause: unknown) => {
    throw fileError(cause, `make "${from}" a program`);
  });
  await files.syncFile(from);
  await files.replaceInUse(from, to);
}

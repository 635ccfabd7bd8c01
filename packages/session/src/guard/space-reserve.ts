import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileError, type ExecutionEvent } from '@fenestra/kernel';

/** What an agent that is stopped needs to start again: journal, database, log and the files of its supervisor. */
export const SPACE_RESERVE_BYTES = 32 * 1024 * 1024;
const PIECE_BYTES = 1024 * 1024;

/** Where the reserve of an armed guard is. */
export function spaceReserveOf(guardExecutable: string): string {
  return join(dirname(guardExecutable), 'space-reserve');
}

/** Takes the room that the agent needs to come back, so that no other program can. */
export async function writeSpaceReserve(guardExecutable: string): Promise<void> {
  const path = spaceReserveOf(guardExecutable);
  try {
    await using file = await open(path, 'w', 0o600);
    // Random, because a file system may compress or share what repeats.
    for (let bytes = 0; bytes < SPACE_RESERVE_BYTES; bytes += PIECE_BYTES)
      await file.appendFile(randomBytes(PIECE_BYTES));
    await file.sync();
  } catch (cause) {
    throw fileError(cause, `make room for the agent's return in "${path}"`);
  }
}

/** Gives the reserve up as soon as work is to be undone or recovered. */
export function spaceReserveFreer(guardExecutable: string): (event: ExecutionEvent) => void {
  return ({ type }) => {
    if (type === 'turned-back' || type === 'recovery-begun') rmSync(spaceReserveOf(guardExecutable), { force: true });
  };
}

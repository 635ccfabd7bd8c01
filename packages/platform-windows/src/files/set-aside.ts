import { rm } from 'node:fs/promises';
import type { Native } from '../native.ts';
import { findBeside } from './beside.ts';
import { deleteAtReboot } from './move.ts';

/**
 * Deletes the files that were set aside for `path`, now or by a run that was cut off. Returns those that a program still
 * runs from: the system is to delete them at its next start, and the next call here tries again.
 */
export async function removeSetAside(native: Native, path: string): Promise<string[]> {
  const left: string[] = [];
  for (const aside of await findBeside(path, 'old')) {
    await rm(aside, { force: true }).catch(() => left.push(aside));
  }
  for (const aside of left) deleteAtReboot(native, aside);
  return left;
}

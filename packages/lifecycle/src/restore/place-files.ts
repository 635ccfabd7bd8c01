import { join } from 'node:path';
import type { Phase, Step } from '@fenestra/kernel';
import { DATABASE_COMPANIONS, placeExecutable, placeFile, unpackedPath } from '@fenestra/steps';
import { changedFiles, stagingFolder, type RestoreFacts } from './facts.ts';
import type { RestoredFile } from './restored-files.ts';

/** Every file of the backup goes to its place; what was there is kept for the way back. */
export const placeFiles: Phase<RestoreFacts> = {
  id: 'place-files',
  title: 'Put the files in place',
  plan: (facts) => changedFiles(facts).map((restored, index) => place(restored, stagingFolder(facts), index)),
};

function place({ file, to, sha256 }: RestoredFile, staging: string, index: number): Step {
  const from = unpackedPath(staging, file);
  if (file.role === 'executable') return placeExecutable({ from, to, sha256 });
  const keep = join(staging, `previous-${index}`);
  const companions = file.role === 'database' ? [...DATABASE_COMPANIONS] : [];
  return placeFile({ from, to, sha256, mode: file.mode, keep, companions });
}

import type { Phase } from '@fenestra/kernel';
import type { UnpackBackup } from '@fenestra/steps';
import { changedFiles, stagingFolder, type RestoreFacts } from '../facts.ts';

/** Everything is unpacked and verified before anything of the node is touched. */
export const unpackArchive: Phase<RestoreFacts> = {
  id: 'unpack-archive',
  title: 'Unpack and verify the archive',
  plan(facts) {
    if (changedFiles(facts).length === 0) return [];
    const { archive, moves } = facts;
    const step: UnpackBackup = {
      kind: 'unpack-backup',
      archive: archive.path,
      sha256: archive.sha256,
      to: stagingFolder(facts),
      moves: moves.map((move) => ({ ...move })),
    };
    return [step];
  },
};

import type { Phase } from '@fenestra/kernel';
import type { CreateFolder } from '@fenestra/steps';
import type { BackupFacts } from '../facts.ts';

/** A folder that keadm makes for archives is private, since they hold the node's key. */
export const createFolder: Phase<BackupFacts> = {
  id: 'create-folder',
  title: 'Create the folder',
  plan({ wishes, folderMissing }) {
    if (!folderMissing) return [];
    const step: CreateFolder = { kind: 'create-folder', path: wishes.folder };
    return [step];
  },
};

import { join } from 'node:path';
import type { Phase } from '@fenestra/kernel';
import { createFolder, writeBackup } from '@fenestra/steps';
import { archivePath, type BackupFacts } from './facts.ts';

/** A backup changes nothing of the node: it only reads. */
export const BACK_UP: readonly Phase<BackupFacts>[] = [
  {
    // A folder that keadm makes for archives is private, since they hold the node's key.
    id: 'create-folder',
    title: 'Create the folder',
    plan: ({ wishes, folderMissing }) => (folderMissing ? [createFolder({ path: wishes.folder })] : []),
  },
  {
    // The whole node in one file, while its agent goes on working.
    id: 'write-archive',
    title: 'Write the archive',
    plan(facts) {
      const { wishes, subject, sources, layout } = facts;
      const scratch = join(layout.bookkeepingFolder, 'backup');
      const { encrypted } = wishes;
      return [writeBackup({ to: archivePath(facts), encrypted, subject, sources: [...sources], scratch })];
    },
  },
];

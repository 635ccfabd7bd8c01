import { join } from 'node:path';
import type { Phase } from '@fenestra/kernel';
import type { WriteBackup } from '@fenestra/steps';
import { archivePath } from '../archive-path.ts';
import type { BackupFacts } from '../facts.ts';

/** The whole node in one file, while its agent goes on working. */
export const writeArchive: Phase<BackupFacts> = {
  id: 'write-archive',
  title: 'Write the archive',
  plan(facts) {
    const { wishes, subject, sources, layout } = facts;
    const step: WriteBackup = {
      kind: 'write-backup',
      to: archivePath(facts),
      encrypted: wishes.encrypted,
      subject,
      sources: [...sources],
      scratch: join(layout.bookkeepingFolder, 'backup'),
    };
    return [step];
  },
};

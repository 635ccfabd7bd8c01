import { join } from 'node:path';
import { archiveName } from '@fenestra/contracts';
import type { BackupFacts } from './facts.ts';

/** Where the archive goes. */
export function archivePath({ wishes, subject }: Pick<BackupFacts, 'wishes' | 'subject'>): string {
  return join(wishes.folder, archiveName(subject, wishes.encrypted));
}

import { join } from 'node:path';
import type { Phase } from '@fenestra/kernel';
import type { CreateFolder, PlaceFile, WriteFile } from '@fenestra/steps';
import { isInPlace, placing, type UpgradeFacts } from '../facts.ts';
import { BACKUP_FILE } from '../version-backup.ts';

/** Program and configuration of the present version are kept; its database follows once nobody writes to it. */
export const backUpVersion: Phase<UpgradeFacts> = {
  id: 'back-up-version',
  title: 'Back up the present version',
  plan(facts) {
    if (isInPlace(facts)) return [];
    const { backupFolder, backedUp, current } = facts;
    const folder: CreateFolder = { kind: 'create-folder', path: backupFolder };
    const copies = backedUp.map((file): PlaceFile => placing(file, file.replacedSha256));
    const record: WriteFile = {
      kind: 'write-file',
      path: join(backupFolder, BACKUP_FILE),
      content: `${JSON.stringify(current, undefined, 2)}\n`,
    };
    return [folder, ...copies, record];
  },
};

import { join } from 'node:path';
import type { Phase } from '@fenestra/kernel';
import { copyFile, createFolder, writeFile } from '@fenestra/steps';
import { backedUp, isUpToDate, type KubeUpgradeFacts } from './upgrade-facts.ts';
import { BACKUP_FILE } from './version-backup.ts';

const PROGRAM_MODE = 0o755;
const PRIVATE_MODE = 0o600;

/** Programs, configuration and flags of the present version are kept. */
export const backUpVersion: Phase<KubeUpgradeFacts> = {
  id: 'back-up-version',
  title: 'Back up the present version',
  plan(facts) {
    if (isUpToDate(facts)) return [];
    const { backupFolder, current, kept, programs } = facts;
    const replaced = programs.flatMap(({ inPlace, to, replacedSha256: sha256 }) =>
      inPlace || sha256 === undefined ? [] : [copyFile(to, backedUp(facts, to), { sha256, mode: PROGRAM_MODE })],
    );
    return [
      createFolder({ path: backupFolder }),
      ...replaced,
      ...kept.map(({ path, sha256 }) => copyFile(path, backedUp(facts, path), { sha256, mode: PRIVATE_MODE })),
      writeFile({ path: join(backupFolder, BACKUP_FILE), content: `${JSON.stringify(current, undefined, 2)}\n` }),
    ];
  },
};

import { join } from 'node:path';
import type { Phase } from '@fenestra/kernel';
import { copyFile, createFolder, writeFile } from '@fenestra/steps';
import { BACKUP_NAMES, backedUpProgram, isInPlace, type UpgradeFacts } from './facts.ts';
import { BACKUP_FILE } from './version-backup.ts';

/** Program and configuration of the present version are kept; its database follows once nobody writes to it. */
export const backUpVersion: Phase<UpgradeFacts> = {
  id: 'back-up-version',
  title: 'Back up the present version',
  plan(facts) {
    if (isInPlace(facts)) return [];
    const { backupFolder, current, layout, configSha256 } = facts;
    const kept = join(backupFolder, BACKUP_NAMES.config);
    return [
      createFolder({ path: backupFolder }),
      copyFile(layout.agentExecutable, backedUpProgram(facts), { sha256: current.sha256, mode: 0o755 }),
      copyFile(layout.agentConfigFile, kept, { sha256: configSha256, mode: 0o600 }),
      writeFile({ path: join(backupFolder, BACKUP_FILE), content: `${JSON.stringify(current, undefined, 2)}\n` }),
    ];
  },
};

import { join } from 'node:path';
import type { Phase, Step } from '@fenestra/kernel';
import { createFolder, placeFile, previousVersion, writeFile } from '@fenestra/steps';
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
      inPlace || sha256 === undefined ? [] : [placing(facts, { path: to, sha256, mode: PROGRAM_MODE })],
    );
    return [
      createFolder({ path: backupFolder }),
      ...replaced,
      ...kept.map((file) => placing(facts, { ...file, mode: PRIVATE_MODE })),
      writeFile({ path: join(backupFolder, BACKUP_FILE), content: `${JSON.stringify(current, undefined, 2)}\n` }),
    ];
  },
};

function placing(
  facts: KubeUpgradeFacts,
  { path: from, sha256, mode }: { readonly path: string; readonly sha256: string; readonly mode: number },
): Step {
  const to = backedUp(facts, from);
  return placeFile({ from, to, sha256, mode, keep: previousVersion(to, 'nothing'), companions: [] });
}

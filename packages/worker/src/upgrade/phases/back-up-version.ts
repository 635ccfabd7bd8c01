import { join } from 'node:path';
import type { Phase } from '@fenestra/kernel';
import { previousVersion, type CreateFolder, type PlaceFile, type WriteFile } from '@fenestra/steps';
import { backedUp, isUpToDate, type KubeUpgradeFacts } from '../upgrade-facts.ts';
import { BACKUP_FILE } from '../version-backup.ts';

const PROGRAM_MODE = 0o755;
const PRIVATE_MODE = 0o600;

/** Programs, configuration and flags of the present version are kept. */
export const backUpVersion: Phase<KubeUpgradeFacts> = {
  id: 'back-up-version',
  title: 'Back up the present version',
  plan(facts) {
    if (isUpToDate(facts)) return [];
    const { backupFolder, current, kept, programs } = facts;
    const folder: CreateFolder = { kind: 'create-folder', path: backupFolder };
    const replaced = programs.flatMap(({ inPlace, to, replacedSha256: sha256 }) =>
      inPlace || sha256 === undefined ? [] : [placing(facts, { path: to, sha256, mode: PROGRAM_MODE })],
    );
    const record: WriteFile = {
      kind: 'write-file',
      path: join(backupFolder, BACKUP_FILE),
      content: `${JSON.stringify(current, undefined, 2)}\n`,
    };
    return [folder, ...replaced, ...kept.map((file) => placing(facts, { ...file, mode: PRIVATE_MODE })), record];
  },
};

function placing(
  facts: KubeUpgradeFacts,
  { path: from, sha256, mode }: { readonly path: string; readonly sha256: string; readonly mode: number },
): PlaceFile {
  const to = backedUp(facts, from);
  return { kind: 'place-file', from, to, sha256, mode, keep: previousVersion(to, 'nothing'), companions: [] };
}

import { dirname, join } from 'node:path';
import type { Phase } from '@fenestra/kernel';
import { previousVersion, type DisarmGuard, type RemovePath } from '@fenestra/steps';
import { isInPlace, type UpgradeFacts } from '../facts.ts';
import { BACKUP_FILE } from '../version-backup.ts';

/** What was kept for a way back that nobody needs any more goes, and so does the guard. */
export const tidyUp: Phase<UpgradeFacts> = {
  id: 'tidy-up',
  title: 'Tidy up',
  plan(facts) {
    if (isInPlace(facts)) return [];
    const disarm: DisarmGuard = { kind: 'disarm-guard', executable: facts.layout.guardExecutable };
    return [...replacedFiles(facts).map(remove), ...facts.pruned.map(({ folder }) => remove(folder)), disarm];
  },
};

/** Files that were replaced on the way, and kept beside their successors. */
function replacedFiles(facts: UpgradeFacts): readonly string[] {
  const { layout, versionFileSha256, backupRecordSha256, backupFolder, backedUp, restoring } = facts;
  const config = backedUp.find(({ from }) => from === layout.agentConfigFile);
  return [
    ...kept(layout.versionFile, versionFileSha256),
    ...kept(join(backupFolder, BACKUP_FILE), backupRecordSha256),
    ...backedUp.flatMap(({ to, replacedSha256 }) => kept(to, replacedSha256)),
    ...(restoring?.configSha256 === undefined ? [] : kept(layout.agentConfigFile, config?.sha256 ?? null)),
  ];
}

function kept(path: string, sha256: string | null): readonly string[] {
  return sha256 === null ? [] : [previousVersion(path, sha256)];
}

function remove(path: string): RemovePath {
  return { kind: 'remove-path', path, root: dirname(path), pointOfNoReturn: true };
}

import { dirname } from 'node:path';
import type { Phase } from '@fenestra/kernel';
import { previousVersion, type DisarmGuard, type DiscardPath } from '@fenestra/steps';
import { isUpToDate, type KubeUpgradeFacts } from '../upgrade-facts.ts';

/** What was kept for a way back that nobody needs any more goes, and so does the guard. */
export const tidyUp: Phase<KubeUpgradeFacts> = {
  id: 'tidy-up',
  title: 'Tidy up',
  plan(facts) {
    if (isUpToDate(facts)) return [];
    const { layout, node, host, refreshed, recorded, replacedRecordSha256, pruned } = facts;
    const disarm: DisarmGuard = { kind: 'disarm-guard', executable: node.guardExecutable, pointOfNoReturn: true };
    return [
      ...refreshed.flatMap(({ path, sha256 }) => previous(path, sha256)),
      ...(host.installedSha256 === host.sha256 ? [] : previous(layout.hostExecutable, host.installedSha256)),
      ...(recorded ? [] : previous(layout.recordFile, replacedRecordSha256)),
      ...pruned.map(discard),
      disarm,
    ];
  },
};

function previous(path: string, digest: string | undefined): readonly DiscardPath[] {
  return digest === undefined ? [] : [discard(previousVersion(path, digest))];
}

function discard(path: string): DiscardPath {
  return { kind: 'discard-path', path, root: dirname(path), pointOfNoReturn: true };
}

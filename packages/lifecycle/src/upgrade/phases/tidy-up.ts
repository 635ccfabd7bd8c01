import { dirname } from 'node:path';
import type { Phase } from '@fenestra/kernel';
import { previousVersion, type DisarmGuard, type DiscardPath } from '@fenestra/steps';
import { isInPlace, writesVersion, type UpgradeFacts } from '../facts.ts';

/** What was kept for a way back that nobody needs any more goes, and so does the guard. */
export const tidyUp: Phase<UpgradeFacts> = {
  id: 'tidy-up',
  title: 'Tidy up',
  plan(facts) {
    const { layout, versionFileSha256, pruned } = facts;
    const isReplaced = versionFileSha256 !== null && writesVersion(facts);
    const version = isReplaced ? [previousVersion(layout.versionFile, versionFileSha256)] : [];
    if (isInPlace(facts)) return version.map(discard);
    const disarm: DisarmGuard = { kind: 'disarm-guard', executable: layout.guardExecutable, pointOfNoReturn: true };
    return [...[...version, ...replacedConfig(facts), ...pruned].map(discard), disarm];
  },
};

function replacedConfig({ layout, restoring, configSha256 }: UpgradeFacts): readonly string[] {
  return restoring?.configSha256 === undefined ? [] : [previousVersion(layout.agentConfigFile, configSha256)];
}

function discard(path: string): DiscardPath {
  return { kind: 'discard-path', path, root: dirname(path), pointOfNoReturn: true };
}

import { pointOfNoReturn, type Phase } from '@fenestra/kernel';
import {
  armGuardIf,
  discard,
  disarmGuard,
  fetchAgent,
  previousVersion,
  proveHealthy,
  writeFile,
} from '@fenestra/steps';
import { guardOf } from '../node/guard.ts';
import { backUpVersion } from './back-up-version.ts';
import { exchangeProgram } from './exchange-program.ts';
import { isInPlace, stagedProgram, versionText, writesVersion, type UpgradeFacts } from './facts.ts';
import { proofOf } from './proof.ts';

/** Every failure up to the record leads back to the old version; the guard sees to it if this command cannot. */
export const CHANGE_VERSION: readonly Phase<UpgradeFacts>[] = [
  {
    // The new program is fetched, verified and beside the old one before anything stops.
    id: 'fetch-program',
    title: 'Fetch and verify the new version',
    plan(facts) {
      if (isInPlace(facts)) return [];
      const { target: source, layout } = facts;
      return [fetchAgent({ source, to: stagedProgram(facts), downloads: layout.downloadsFolder })];
    },
  },
  backUpVersion,
  armGuardIf<UpgradeFacts>((facts) => !isInPlace(facts), guardOf),
  exchangeProgram,
  {
    // A version that only runs is not good enough: it has to do for the node what the old one did.
    id: 'prove-version',
    title: 'Prove that the new version works',
    plan: (facts) => (isInPlace(facts) ? [] : [proveHealthy(proofOf(facts, facts.target.kind))]),
  },
  {
    // Once this is written the new version is the node's version, and there is no automatic way back.
    id: 'record-version',
    title: 'Record the version',
    plan: (facts) =>
      writesVersion(facts)
        ? [pointOfNoReturn(writeFile({ path: facts.layout.versionFile, content: versionText(facts) }))]
        : [],
  },
  {
    // What was kept for a way back that nobody needs any more goes, and so does the guard.
    id: 'tidy-up',
    title: 'Tidy up',
    plan(facts) {
      const { layout, versionFileSha256, restoring, configSha256, pruned } = facts;
      const isReplaced = versionFileSha256 !== null && writesVersion(facts);
      const version = isReplaced ? [previousVersion(layout.versionFile, versionFileSha256)] : [];
      if (isInPlace(facts)) return version.map(discard);
      const config =
        restoring?.configSha256 === undefined ? [] : [previousVersion(layout.agentConfigFile, configSha256)];
      return [...[...version, ...config, ...pruned].map(discard), disarmGuard({ executable: layout.guardExecutable })];
    },
  },
];

import type { Phase } from '@fenestra/kernel';
import { proofOf } from '../proof.ts';
import { isUpToDate, type KubeUpgradeFacts } from '../upgrade-facts.ts';

/** A version that only runs is not good enough: the cluster has to see it, as ready as the node was before. */
export const proveVersion: Phase<KubeUpgradeFacts> = {
  id: 'prove-version',
  title: 'Prove that the new version works',
  plan: (facts) => (isUpToDate(facts) ? [] : [proofOf(facts, facts.targetVersion)]),
};

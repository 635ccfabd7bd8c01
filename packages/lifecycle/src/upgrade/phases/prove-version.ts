import type { Phase } from '@fenestra/kernel';
import type { ProveHealthy } from '@fenestra/steps';
import { proofOf } from '../proof.ts';
import { isInPlace, type UpgradeFacts } from '../facts.ts';

/** A version that only runs is not good enough: it has to do for the node what the old one did. */
export const proveVersion: Phase<UpgradeFacts> = {
  id: 'prove-version',
  title: 'Prove that the new version works',
  plan(facts) {
    if (isInPlace(facts)) return [];
    const step: ProveHealthy = { kind: 'prove-healthy', ...proofOf(facts, facts.target.kind) };
    return [step];
  },
};

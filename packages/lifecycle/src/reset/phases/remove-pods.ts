import type { Phase } from '@fenestra/kernel';
import type { RemovePods } from '@fenestra/steps';
import type { ResetFacts } from '../facts.ts';

const LIMIT_SECONDS = 300;

/** Pods outlive the agent that started them. */
export const removePods: Phase<ResetFacts> = {
  id: 'remove-pods',
  title: 'Remove the pods',
  plan({ runtime: { endpoint } }) {
    if (endpoint === undefined) return [];
    const step: RemovePods = { kind: 'remove-pods', endpoint, limitSeconds: LIMIT_SECONDS, pointOfNoReturn: true };
    return [step];
  },
};

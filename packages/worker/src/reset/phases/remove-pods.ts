import type { Phase } from '@fenestra/kernel';
import type { RemovePods } from '@fenestra/steps';
import type { KubeResetFacts } from '../reset-facts.ts';

const LIMIT_SECONDS = 300;

/** Pods outlive the kubelet that started them. */
export const removePods: Phase<KubeResetFacts> = {
  id: 'remove-pods',
  title: 'Remove the pods',
  plan({ runtime: { endpoint } }) {
    if (endpoint === undefined) return [];
    const limits = { limitSeconds: LIMIT_SECONDS, ofKubelet: true, pointOfNoReturn: true } as const;
    const step: RemovePods = { kind: 'remove-pods', endpoint, ...limits };
    return [step];
  },
};

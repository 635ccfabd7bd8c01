import type { Phase } from '@fenestra/kernel';
import type { DisarmGuard } from '@fenestra/steps';
import type { KubeResetFacts } from '../reset-facts.ts';

/** There is no worker left to guard. */
export const removeGuard: Phase<KubeResetFacts> = {
  id: 'remove-guard',
  title: 'Remove the guard',
  plan({ guardLeft, node: { guardExecutable: executable } }) {
    if (!guardLeft) return [];
    const step: DisarmGuard = { kind: 'disarm-guard', executable, pointOfNoReturn: true };
    return [step];
  },
};

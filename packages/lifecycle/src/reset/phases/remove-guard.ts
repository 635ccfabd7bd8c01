import type { Phase } from '@fenestra/kernel';
import type { DisarmGuard } from '@fenestra/steps';
import type { ResetFacts } from '../facts.ts';

/** There is no node left to guard. */
export const removeGuard: Phase<ResetFacts> = {
  id: 'remove-guard',
  title: 'Remove the guard',
  plan({ guardLeft, layout }) {
    if (!guardLeft) return [];
    const step: DisarmGuard = { kind: 'disarm-guard', executable: layout.guardExecutable, pointOfNoReturn: true };
    return [step];
  },
};

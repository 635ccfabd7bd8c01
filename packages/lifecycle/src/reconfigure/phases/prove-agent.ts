import type { Phase } from '@fenestra/kernel';
import type { ProveHealthy } from '@fenestra/steps';
import type { ReconfigureFacts } from '../facts.ts';

/** A file that is sound may still be wrong: the agent has to work with it. */
export const proveAgent: Phase<ReconfigureFacts> = {
  id: 'prove-agent',
  title: 'Prove that the agent works with it',
  plan({ way, proof }) {
    if (way === 'none') return [];
    const step: ProveHealthy = { kind: 'prove-healthy', ...proof };
    return [step];
  },
};

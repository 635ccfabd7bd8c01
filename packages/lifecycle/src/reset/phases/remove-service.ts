import type { Phase, Step } from '@fenestra/kernel';
import { AGENT_SERVICE } from '../../service-program/agent-service.ts';
import type { ResetFacts } from '../facts.ts';

/** The service manager forgets the agent. There is no way back from here: a service that others made is not ours to make. */
export const removeService: Phase<ResetFacts> = {
  id: 'remove-service',
  title: 'Remove the service',
  plan({ service }) {
    if (service.state === 'absent') return [];
    const step: Step = { kind: 'remove-service', name: AGENT_SERVICE, pointOfNoReturn: true };
    return [step];
  },
};

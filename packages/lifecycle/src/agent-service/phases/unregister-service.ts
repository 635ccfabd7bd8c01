import type { Phase } from '@fenestra/kernel';
import type { RemoveService } from '@fenestra/steps';
import { AGENT_SERVICE } from '../agent-spec.ts';
import type { AgentFacts } from '../facts.ts';

/** The service manager forgets the agent. */
export const unregisterService: Phase<AgentFacts> = {
  id: 'unregister-service',
  title: 'Remove the service',
  plan({ service }) {
    if (service.state === 'absent') return [];
    const step: RemoveService = { kind: 'remove-service', name: AGENT_SERVICE };
    return [step];
  },
};

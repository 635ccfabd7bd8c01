import type { Phase } from '@fenestra/kernel';
import type { StopService } from '@fenestra/steps';
import { AGENT_SERVICE } from '../agent-spec.ts';
import type { AgentFacts } from '../facts.ts';

/** Nothing is taken away while the agent still runs. */
export const stopAgent: Phase<AgentFacts> = {
  id: 'stop-agent',
  title: 'Stop the agent',
  plan({ service }) {
    if (service.state === 'absent' || service.state === 'stopped') return [];
    const step: StopService = { kind: 'stop-service', name: AGENT_SERVICE };
    return [step];
  },
};

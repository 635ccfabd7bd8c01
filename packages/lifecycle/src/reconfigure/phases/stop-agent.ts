import type { Phase } from '@fenestra/kernel';
import type { StopService } from '@fenestra/steps';
import { AGENT_SERVICE } from '../../service-program/agent-service.ts';
import type { ReconfigureFacts } from '../facts.ts';

/** An agent that cannot take the change up while it runs is stopped first: so the way back starts it with the old file. */
export const stopAgent: Phase<ReconfigureFacts> = {
  id: 'stop-agent',
  title: 'Stop the agent',
  plan({ way, node }) {
    if (way !== 'restart' || node.service.state === 'stopped') return [];
    const step: StopService = { kind: 'stop-service', name: AGENT_SERVICE };
    return [step];
  },
};

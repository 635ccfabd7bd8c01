import type { Phase } from '@fenestra/kernel';
import type { StopService } from '@fenestra/steps';
import { AGENT_SERVICE } from '../../service-program/agent-service.ts';
import type { ResetFacts } from '../facts.ts';

/** A running agent would make anew what is taken away. */
export const stopAgent: Phase<ResetFacts> = {
  id: 'stop-agent',
  title: 'Stop the agent',
  plan({ service }) {
    if (service.state === 'absent' || service.state === 'stopped') return [];
    const step: StopService = { kind: 'stop-service', name: AGENT_SERVICE };
    return [step];
  },
};

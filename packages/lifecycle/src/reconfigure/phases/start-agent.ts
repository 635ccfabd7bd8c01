import type { Phase } from '@fenestra/kernel';
import type { StartService } from '@fenestra/steps';
import { AGENT_SERVICE } from '../../service-program/agent-service.ts';
import type { ReconfigureFacts } from '../facts.ts';

/** The agent begins anew, with the new file. */
export const startAgent: Phase<ReconfigureFacts> = {
  id: 'start-agent',
  title: 'Start the agent',
  plan({ way }) {
    if (way !== 'restart') return [];
    const step: StartService = { kind: 'start-service', name: AGENT_SERVICE };
    return [step];
  },
};

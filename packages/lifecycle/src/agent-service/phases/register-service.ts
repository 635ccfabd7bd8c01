import type { Phase } from '@fenestra/kernel';
import type { InstallService } from '@fenestra/steps';
import { agentSpec } from '../agent-spec.ts';
import type { AgentFacts } from '../facts.ts';

/** The service manager learns about the agent. */
export const registerService: Phase<AgentFacts> = {
  id: 'register-service',
  title: 'Register the service',
  plan({ layout, registeredAsWanted }) {
    if (registeredAsWanted) return [];
    const step: InstallService = { kind: 'install-service', spec: agentSpec(layout) };
    return [step];
  },
};

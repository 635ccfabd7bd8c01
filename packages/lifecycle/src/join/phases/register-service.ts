import type { Phase } from '@fenestra/kernel';
import type { InstallService } from '@fenestra/steps';
import { registersService, type JoinFacts } from '../join-facts.ts';

/** The service manager learns about the agent, and how to bring it back after a failure. */
export const registerService: Phase<JoinFacts> = {
  id: 'register-service',
  title: 'Register the service',
  plan(facts) {
    if (!registersService(facts)) return [];
    const step: InstallService = { kind: 'install-service', spec: facts.spec };
    return [step];
  },
};

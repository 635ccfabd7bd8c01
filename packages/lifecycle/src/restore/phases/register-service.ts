import type { Phase } from '@fenestra/kernel';
import type { InstallService } from '@fenestra/steps';
import type { RestoreFacts } from '../facts.ts';

/** The service manager learns about the agent, or about what is different now. */
export const registerService: Phase<RestoreFacts> = {
  id: 'register-service',
  title: 'Register the service',
  plan({ registeredAsWanted, spec }) {
    if (registeredAsWanted) return [];
    const step: InstallService = { kind: 'install-service', spec };
    return [step];
  },
};

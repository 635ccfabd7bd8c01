import type { Phase } from '@fenestra/kernel';
import type { InstallService } from '@fenestra/steps';
import type { ServiceFacts } from '../facts.ts';

/** The service manager learns about the program. */
export const registerService: Phase<ServiceFacts> = {
  id: 'register-service',
  title: 'Register the service',
  plan({ wanted, registeredAsWanted }) {
    if (registeredAsWanted) return [];
    const step: InstallService = { kind: 'install-service', spec: wanted.spec };
    return [step];
  },
};

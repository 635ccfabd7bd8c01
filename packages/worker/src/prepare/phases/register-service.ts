import type { Phase } from '@fenestra/kernel';
import type { InstallService } from '@fenestra/steps';
import type { PrepareFacts } from '../prepare-facts.ts';

/** The kubelet as a service of the system, which brings it back after a failure. It is not started here. */
export const registerService: Phase<PrepareFacts> = {
  id: 'register-service',
  title: 'Register the service',
  plan({ registered, spec }) {
    if (registered) return [];
    const step: InstallService = { kind: 'install-service', spec };
    return [step];
  },
};

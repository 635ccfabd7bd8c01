import type { Phase } from '@fenestra/kernel';
import type { RemoveService } from '@fenestra/steps';
import type { ServiceFacts } from '../facts.ts';

/** The service manager forgets the program. */
export const unregisterService: Phase<ServiceFacts> = {
  id: 'unregister-service',
  title: 'Remove the service',
  plan({ wanted, service }) {
    if (service.state === 'absent') return [];
    const step: RemoveService = { kind: 'remove-service', name: wanted.spec.name };
    return [step];
  },
};

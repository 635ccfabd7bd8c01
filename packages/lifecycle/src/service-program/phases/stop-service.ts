import type { Phase } from '@fenestra/kernel';
import type { StopService } from '@fenestra/steps';
import type { ServiceFacts } from '../facts.ts';

/** Nothing is taken away while the program still runs. */
export const stopService: Phase<ServiceFacts> = {
  id: 'stop-service',
  title: 'Stop the service',
  plan({ wanted, service }) {
    if (service.state === 'absent' || service.state === 'stopped') return [];
    const step: StopService = { kind: 'stop-service', name: wanted.spec.name };
    return [step];
  },
};

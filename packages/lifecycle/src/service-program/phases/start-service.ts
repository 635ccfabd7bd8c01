import type { Phase } from '@fenestra/kernel';
import type { StartService } from '@fenestra/steps';
import { changesService, type ServiceFacts } from '../facts.ts';

/** The service runs, and it is the program that was just put in place. */
export const startService: Phase<ServiceFacts> = {
  id: 'start-service',
  title: 'Start the service',
  plan(facts) {
    if (facts.service.state === 'running' && !changesService(facts)) return [];
    const step: StartService = { kind: 'start-service', name: facts.wanted.spec.name };
    return [step];
  },
};

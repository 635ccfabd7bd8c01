import type { Phase } from '@fenestra/kernel';
import type { StartService } from '@fenestra/steps';
import { changesService, type JoinFacts } from '../join-facts.ts';

/** The agent runs. */
export const startService: Phase<JoinFacts> = {
  id: 'start-service',
  title: 'Start the service',
  plan(facts) {
    if (facts.service.state === 'running' && !changesService(facts)) return [];
    const step: StartService = { kind: 'start-service', name: facts.spec.name };
    return [step];
  },
};

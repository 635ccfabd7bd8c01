import type { Phase } from '@fenestra/kernel';
import type { StartService } from '@fenestra/steps';
import { startsAgent, type RestoreFacts } from '../facts.ts';

/** The agent runs. */
export const startService: Phase<RestoreFacts> = {
  id: 'start-service',
  title: 'Start the service',
  plan(facts) {
    if (!startsAgent(facts)) return [];
    const step: StartService = { kind: 'start-service', name: facts.spec.name };
    return [step];
  },
};

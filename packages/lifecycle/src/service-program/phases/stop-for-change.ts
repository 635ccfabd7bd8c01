import type { Phase } from '@fenestra/kernel';
import type { StopService } from '@fenestra/steps';
import { changesService, type ServiceFacts } from '../facts.ts';

/** A service that is going to change is stopped first: so the way back puts the old program in place before it starts it. */
export const stopForChange: Phase<ServiceFacts> = {
  id: 'stop-for-change',
  title: 'Stop the service',
  plan(facts) {
    const { state } = facts.service;
    if (state === 'absent' || state === 'stopped' || !changesService(facts)) return [];
    const step: StopService = { kind: 'stop-service', name: facts.wanted.spec.name };
    return [step];
  },
};

import type { Phase } from '@fenestra/kernel';
import type { StopService } from '@fenestra/steps';
import { changesService, type JoinFacts } from '../join-facts.ts';

/** An agent that idles here, or waits to be restarted, must not run while it is changed. */
export const stopForChange: Phase<JoinFacts> = {
  id: 'stop-for-change',
  title: 'Stop the service',
  plan(facts) {
    const { state } = facts.service;
    if (state === 'absent' || state === 'stopped' || !changesService(facts)) return [];
    const step: StopService = { kind: 'stop-service', name: facts.spec.name };
    return [step];
  },
};

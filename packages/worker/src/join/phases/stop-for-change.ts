import type { Phase } from '@fenestra/kernel';
import type { StopService } from '@fenestra/steps';
import { changesService, type KubeJoinFacts } from '../join-facts.ts';

/** A kubelet that was prepared waits for its configuration, again and again: it must not find half of it. */
export const stopForChange: Phase<KubeJoinFacts> = {
  id: 'stop-for-change',
  title: 'Stop the kubelet',
  plan(facts) {
    const { service, spec } = facts;
    if (service.state === 'absent' || service.state === 'stopped' || !changesService(facts)) return [];
    const step: StopService = { kind: 'stop-service', name: spec.name };
    return [step];
  },
};

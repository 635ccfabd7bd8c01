import type { Phase } from '@fenestra/kernel';
import type { StopService } from '@fenestra/steps';
import { changesNode, type RestoreFacts } from '../facts.ts';

/** Nobody may have the database open while another is put in its place. */
export const stopService: Phase<RestoreFacts> = {
  id: 'stop-service',
  title: 'Stop the service',
  plan(facts) {
    const { state } = facts.node.service;
    if (state === 'absent' || state === 'stopped' || !changesNode(facts)) return [];
    const step: StopService = { kind: 'stop-service', name: facts.spec.name };
    return [step];
  },
};

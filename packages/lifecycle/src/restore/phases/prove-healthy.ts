import { dirname } from 'node:path';
import type { Phase } from '@fenestra/kernel';
import type { ProveHealthy } from '@fenestra/steps';
import { startsAgent, type RestoreFacts } from '../facts.ts';

/** A restore is done when the cloud has the node again; until then what was there before can come back. */
export const proveHealthy: Phase<RestoreFacts> = {
  id: 'prove-healthy',
  title: 'Prove that the node works',
  plan(facts) {
    if (!startsAgent(facts)) return [];
    const { spec, config, layout, manifest, node, wishes } = facts;
    const step: ProveHealthy = {
      kind: 'prove-healthy',
      service: spec.name,
      stateFolder: dirname(config.database.dataSource),
      logFile: layout.agentLogFile,
      agent: manifest.agent,
      wants: node.agent?.node?.ready === 'True' ? 'ready' : 'connected',
      limitSeconds: wishes.limitSeconds,
      settleSeconds: wishes.settleSeconds,
    };
    return [step];
  },
};

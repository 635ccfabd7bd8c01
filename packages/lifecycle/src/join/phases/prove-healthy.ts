import type { Phase } from '@fenestra/kernel';
import type { ProveHealthy } from '@fenestra/steps';
import { changesService, type JoinFacts } from '../join-facts.ts';

/** A join is done when the cloud has the node, and not when a process runs. */
export const proveHealthy: Phase<JoinFacts> = {
  id: 'prove-healthy',
  title: 'Wait until the node has joined',
  plan(facts) {
    if (facts.healthy && !changesService(facts)) return [];
    const { spec, statusFolder, layout, agentKind, limitSeconds, settleSeconds } = facts;
    const step: ProveHealthy = {
      kind: 'prove-healthy',
      service: spec.name,
      stateFolder: statusFolder,
      logFile: layout.agentLogFile,
      agent: agentKind,
      // A node without a container runtime has joined all the same.
      wants: 'connected',
      limitSeconds,
      settleSeconds,
    };
    return [step];
  },
};

import type { Phase } from '@fenestra/kernel';
import type { ProveKubelet } from '@fenestra/steps';
import { changesService, type KubeJoinFacts } from '../join-facts.ts';

/** A join is done when the cluster has the node, and not when a process runs. */
export const proveKubelet: Phase<KubeJoinFacts> = {
  id: 'prove-kubelet',
  title: 'Wait until the node has joined',
  plan(facts) {
    if (!changesService(facts)) return [];
    const { spec, nodeName, layout, healthz, waitReady, kubeletVersion, limitSeconds, settleSeconds } = facts;
    const step: ProveKubelet = {
      kind: 'prove-kubelet',
      service: spec.name,
      node: nodeName,
      kubeconfig: layout.kubeconfig,
      healthz: healthz ?? null,
      logFile: layout.logFile,
      wants: waitReady ? 'ready' : 'registered',
      // A worker whose kubelet does not say is judged by all the rest.
      version: kubeletVersion === '' ? null : kubeletVersion,
      limitSeconds,
      settleSeconds,
    };
    return [step];
  },
};

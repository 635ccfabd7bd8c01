import type { KubeletProof } from '@fenestra/steps';
import type { KubeUpgradeFacts } from './upgrade-facts.ts';

/** What a kubelet has to prove: that it is of this version, and does for the node what the one before it did. */
export function proofOf(facts: KubeUpgradeFacts, version: string): KubeletProof {
  const { spec, nodeName, layout, healthz, ready, limitSeconds, settleSeconds } = facts;
  return {
    service: spec.name,
    node: nodeName,
    kubeconfig: layout.kubeconfig,
    healthz: healthz ?? null,
    logFile: layout.logFile,
    wants: ready ? 'ready' : 'registered',
    version,
    limitSeconds,
    settleSeconds,
  };
}

import type { Phase } from '@fenestra/kernel';
import type { DeleteNode, LeaveCloud } from '@fenestra/steps';
import type { ResetFacts } from '../facts.ts';

/** The node leaves the cloud only when its agent is stopped, which would register it anew. */
export const leaveCloud: Phase<ResetFacts> = {
  id: 'leave-cloud',
  title: 'Leave the cloud',
  plan({ cloud, nodeName, identity }) {
    if (cloud.state === 'absent') return [];
    if (cloud.state !== 'registered') {
      if (identity === undefined) return [];
      const leave: LeaveCloud = { kind: 'leave-cloud', nodeName, ...identity, pointOfNoReturn: true };
      return [leave];
    }
    const step: DeleteNode = {
      kind: 'delete-node',
      kubeconfig: cloud.kubeconfig,
      node: nodeName,
      pointOfNoReturn: true,
    };
    return [step];
  },
};

import type { Phase } from '@fenestra/kernel';
import { closeNetwork } from './phases/close-network.ts';
import { deleteFiles } from './phases/delete-files.ts';
import { drain } from './phases/drain.ts';
import { leaveCluster } from './phases/leave-cluster.ts';
import { removeGuard } from './phases/remove-guard.ts';
import { removePods } from './phases/remove-pods.ts';
import { removeService } from './phases/remove-service.ts';
import { stopKubelet } from './phases/stop-kubelet.ts';
import { unmountVolumes } from './phases/unmount-volumes.ts';
import type { KubeResetFacts } from './reset-facts.ts';

/**
 * The order is the design: nothing is deleted while the kubelet runs, and until something is, everything can be undone.
 * The service goes first, so that no restart of the machine brings the kubelet, its pods and its node back half-way.
 */
export const KUBE_RESET: readonly Phase<KubeResetFacts>[] = [
  drain,
  stopKubelet,
  removeService,
  removePods,
  unmountVolumes,
  leaveCluster,
  closeNetwork,
  removeGuard,
  deleteFiles,
];

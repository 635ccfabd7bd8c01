import type { Phase } from '@fenestra/kernel';
import type { ResetFacts } from './facts.ts';
import { deleteFiles } from './phases/delete-files.ts';
import { drain } from './phases/drain.ts';
import { leaveCloud } from './phases/leave-cloud.ts';
import { removeGuard } from './phases/remove-guard.ts';
import { removePods } from './phases/remove-pods.ts';
import { removeService } from './phases/remove-service.ts';
import { stopAgent } from './phases/stop-agent.ts';
import { unmountVolumes } from './phases/unmount-volumes.ts';

/**
 * The order is the design: nothing is deleted while the agent runs, and until something is, everything can be undone.
 * The service goes first, so that no restart of the machine brings the agent, its pods and its node back half-way.
 */
export const RESET: readonly Phase<ResetFacts>[] = [
  drain,
  stopAgent,
  removeService,
  removePods,
  unmountVolumes,
  leaveCloud,
  removeGuard,
  deleteFiles,
];

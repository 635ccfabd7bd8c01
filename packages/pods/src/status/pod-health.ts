import type { Pod } from '../pod/pod.ts';
import type { ContainerStatus, PodStatus } from '../pod/status-fields.ts';

/** How a pod is, in one word, and why where it does not run. */
export interface PodHealth {
  readonly state: 'running' | 'unsettled' | 'notRunning' | 'ended';
  readonly reason?: string;
}

/** After this time without a restart the kubelet forgets that a container was restarted. */
const SETTLED_AFTER_MS = 600_000;

/**
 * Judges a pod by its status. One that is expected to go on running is `running`; a pod that restarted a short time ago
 * or is not to be restarted is `unsettled`.
 */
export function podHealth({ metadata, spec }: Pod, status: PodStatus, now: number): PodHealth {
  if (metadata.deletionTimestamp !== undefined || status.phase === 'Succeeded') return { state: 'ended' };
  const containers = status.containerStatuses ?? [];
  const down = containers.find((container) => !isUp(container));
  if (status.phase !== 'Running' || down !== undefined) return { state: 'notRunning', reason: reasonOf(status, down) };
  const isSettled = spec.restartPolicy === 'Always' && !containers.some((container) => hasRestarted(container, now));
  return { state: isSettled ? 'running' : 'unsettled' };
}

/** One that has done its work is not to be started again while the others run. */
function isUp({ state }: ContainerStatus): boolean {
  return state.running !== undefined || state.terminated?.exitCode === 0;
}

function hasRestarted({ restartCount, state }: ContainerStatus, now: number): boolean {
  return restartCount > 0 && now - Date.parse(state.running?.startedAt ?? '') < SETTLED_AFTER_MS;
}

function reasonOf({ phase, reason }: PodStatus, down: ContainerStatus | undefined): string {
  return down?.state.waiting?.reason ?? down?.state.terminated?.reason ?? reason ?? phase;
}

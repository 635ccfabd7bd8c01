import { KUBELET_EVENTS, type Pod, type PodStatus } from '@fenestra/pods';
import type { PodEvents } from './event-recorder.ts';

/** Records which containers of a pod wait for their next start or pull, as a kubelet does whenever it looks at the pod. */
export function recordWaits(pod: Pod, status: PodStatus | undefined, events: PodEvents): void {
  for (const { name, image, state } of allStatuses(status)) {
    if (state.waiting?.reason === 'CrashLoopBackOff')
      events.record(pod, KUBELET_EVENTS.restartBackOff(name, pod), name);
    if (state.waiting?.reason === 'ImagePullBackOff') {
      events.record(pod, KUBELET_EVENTS.pullBackOff(image), name);
      events.record(pod, KUBELET_EVENTS.startFailed('ImagePullBackOff'), name);
    }
  }
}

function allStatuses(status: PodStatus | undefined) {
  const { containerStatuses = [], initContainerStatuses = [], ephemeralContainerStatuses = [] } = status ?? {};
  return [...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses];
}

import { EVICTION_RESOURCES } from '../eviction/ranking.ts';
import type { EvictionSignal } from '../eviction/thresholds.ts';
import type { KillContainer } from '../plan/pod-plan.ts';
import type { Pod } from '../pod/pod.ts';

/** What happened to a pod or node, as an event says it. */
export interface KubeletEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** The events of a kubelet, in its words: tools and people search for them. */
export const KUBELET_EVENTS = {
  pulling: (image: string) => normal('Pulling', `Pulling image "${image}"`),
  pulled: (image: string, took: PullTimes, bytes: bigint) =>
    normal(
      'Pulled',
      `Successfully pulled image "${image}" in ${goDuration(took.pullMs)} (${goDuration(took.wholeMs)} including waiting). Image size: ${bytes} bytes.`,
    ),
  imagePresent: (image: string) => normal('Pulled', `Container image "${image}" already present on machine`),
  pullFailed: (image: string, error: string) => warning('Failed', `Failed to pull image "${image}": ${error}`),
  pullBackOff: (image: string) => normal('BackOff', `Back-off pulling image "${image}"`),
  imageNeverPulled: (message: string) => warning('ErrImageNeverPull', message),
  imageNameInvalid: (image: string) =>
    warning('InspectFailed', `Failed to apply default image tag "${image}": couldn't parse image name "${image}"`),
  created: (container: string) => normal('Created', `Created container: ${container}`),
  started: (container: string) => normal('Started', `Started container ${container}`),
  startFailed: (error: string) => warning('Failed', `Error: ${error}`),
  restartBackOff: (container: string, { metadata }: Pod) =>
    warning(
      'BackOff',
      `Back-off restarting failed container ${container} in pod ${metadata.name}_${metadata.namespace}(${metadata.uid})`,
    ),
  killing: ({ reason, name }: Pick<KillContainer, 'reason' | 'name'>) => normal('Killing', killMessage(reason, name)),
  killFailed: (error: string) => warning('FailedKillPod', `error killing pod: ${error}`),
  // The error is left out: it can hold what the hook printed.
  postStartFailed: () => warning('FailedPostStartHook', 'PostStartHook failed'),
  preStopFailed: () => warning('FailedPreStopHook', 'PreStopHook failed'),
  probeFailed: (probe: string, output: string) => warning('Unhealthy', `${capital(probe)} probe failed: ${output}`),
  probeWarned: (probe: string, output: string) => warning('ProbeWarning', `${capital(probe)} probe warning: ${output}`),
  probeErrored: (probe: string, error: string) =>
    warning('Unhealthy', `${capital(probe)} probe errored and resulted in unknown state: ${error}`),
  sandboxFailed: (error: string) => warning('FailedCreatePodSandBox', `Failed to create pod sandbox: ${error}`),
  sandboxChanged: () => normal('SandboxChanged', 'Pod sandbox changed, it will be killed and re-created.'),
  clusterDnsMissing: ({ metadata, spec }: Pod) =>
    warning(
      'MissingClusterDNS',
      `pod: "${metadata.name}_${metadata.namespace}(${metadata.uid})". kubelet does not have ClusterDNS IP configured and cannot create Pod using "${spec.dnsPolicy}" policy. Falling back to "Default" policy.`,
    ),
  nameserversCut: (kept: readonly string[]) =>
    warning(
      'DNSConfigForming',
      `Nameserver limits were exceeded, some nameservers have been omitted, the applied nameserver line is: ${kept.join(' ')}`,
    ),
  searchesCut: (kept: readonly string[]) =>
    warning(
      'DNSConfigForming',
      `Search Line limits were exceeded, some search paths have been omitted, the applied search line is: ${kept.join(' ')}`,
    ),
  mountFailed: (volume: string, error: string) =>
    warning('FailedMount', `MountVolume.SetUp failed for volume "${volume}" : ${error}`),
  syncFailed: (error: string) => warning('FailedSync', `error determining status: ${error}`),
  deadlineExceeded: (message: string) => normal('DeadlineExceeded', message),
  thresholdMet: (signal: EvictionSignal) =>
    warning('EvictionThresholdMet', `Attempting to reclaim ${EVICTION_RESOURCES[signal]}`),
  diskNotFreed: (wantedBytes: number, foundBytes: number) =>
    warning(
      'FreeDiskSpaceFailed',
      `Failed to garbage collect required amount of images. Attempted to free ${wantedBytes} bytes, but only found ${foundBytes} bytes eligible to free.`,
    ),
  imagesNotCollected: (error: string) => warning('ImageGCFailed', error),
  agentStarting: () => normal('Starting', 'Starting kubelet.'),
  nodeReadiness: (node: string, isReady: boolean) => {
    const reason = isReady ? 'NodeReady' : 'NodeNotReady';
    return normal(reason, `Node ${node} status is now: ${reason}`);
  },
  warning,
} as const;

interface PullTimes {
  readonly pullMs: number;
  readonly wholeMs: number;
}

function normal(reason: string, message: string): KubeletEvent {
  return { type: 'Normal', reason, message };
}

function warning(reason: string, message: string): KubeletEvent {
  return { type: 'Warning', reason, message };
}

function killMessage(reason: KillContainer['reason'], container: string): string {
  switch (reason) {
    case 'definition-changed':
      return `Container ${container} definition changed, will be restarted`;
    case 'liveness-failed':
      return `Container ${container} failed liveness probe, will be restarted`;
    case 'startup-failed':
      return `Container ${container} failed startup probe, will be restarted`;
    case 'state-unknown':
      return 'Container is in "unknown" state, try killing it before restart';
    case 'hook-failed':
      return 'FailedPostStartHook';
    case 'pod-ends':
    case 'restart-requested':
    case 'sandbox-replaced':
    case 'superseded':
      return `Stopping container ${container}`;
  }
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** A duration as Go writes it: `312ms`, `1.5s`, `1m20.25s`. */
function goDuration(milliseconds: number): string {
  const whole = Math.round(milliseconds);
  if (whole < 1000) return `${whole}ms`;
  const minutes = Math.floor(whole / 60_000);
  const seconds = `${(whole % 60_000) / 1000}s`;
  return minutes === 0 ? seconds : `${minutes}m${seconds}`;
}

import { type StartFailure, startRetryTime } from '../facts.ts';
import { pullErrorEnd } from '../images/pull-decision.ts';
import { instancesOf, isAlive } from '../observed.ts';
import type { Container } from '../pod/container-fields.ts';
import { targetOf } from '../plan/ephemeral-containers.ts';
import type { ContainerRole } from '../plan/pod-plan.ts';
import { crashLoopEnd, needsInstance, restartPolicyOf } from '../plan/start.ts';
import type { StatusFacts } from './status-facts.ts';

/** Why a container does not run yet, or not again. */
export interface Waiting {
  readonly reason: string;
  readonly message?: string;
}

/** What a container waits for that has never started. */
export function firstWait({ pod }: StatusFacts): Waiting {
  const hasInitContainers = (pod.spec.initContainers ?? []).length > 0;
  return { reason: hasInitContainers ? 'PodInitializing' : 'ContainerCreating' };
}

/** Why a container that is to be started is not; undefined if nothing is known to hold it back. */
export function holdBack(facts: StatusFacts, container: Container, role: ContainerRole): Waiting | undefined {
  const { name } = container;
  const [latest] = instancesOf(facts.observed, name);
  if (facts.stage !== 'running' || (latest && isAlive(latest))) return undefined;
  if (!needsInstance(facts, name, restartPolicyOf(facts.pod.spec, role))) return undefined;
  const failure = facts.failures.get(name);
  if (crashLoopEnd(facts, container, latest) > facts.now) return crashLoop(facts, name);
  if (failure !== undefined) return failed(facts, container, failure);
  return role === 'ephemeral' ? missingTarget(facts, container) : undefined;
}

function crashLoop({ pod, backoffs }: StatusFacts, name: string): Waiting {
  const { metadata } = pod;
  const delay = goDuration((backoffs.get(name)?.delayMs ?? 0) / 1000);
  const podName = `${metadata.name}_${metadata.namespace}(${metadata.uid})`;
  const message = `back-off ${delay} restarting failed container=${name} pod=${podName}`;
  return { reason: 'CrashLoopBackOff', message };
}

function failed({ now }: StatusFacts, { image }: Container, failure: StartFailure): Waiting {
  const { reason, message } = failure;
  const isWaiting = startRetryTime(failure, now) > now && now >= (pullErrorEnd(failure) ?? Infinity);
  if (!isWaiting) return { reason, message };
  return { reason: 'ImagePullBackOff', message: `Back-off pulling image "${image}": ${message}` };
}

function missingTarget(facts: StatusFacts, container: Container): Waiting | undefined {
  const target = container.targetContainerName;
  if (target === undefined || targetOf(facts, container) !== undefined) return undefined;
  return { reason: 'CreateContainerConfigError', message: `unable to find target container "${target}"` };
}

/** Seconds as Go writes them: `40s`, `1m20s`, `5m0s`. */
function goDuration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `${seconds}s` : `${minutes}m${seconds % 60}s`;
}

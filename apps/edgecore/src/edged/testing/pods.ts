import type { JsonObject } from '@fenestra/kernel';
import {
  type Container,
  type ObservedContainer,
  type Pod,
  type PodFacts,
  podProblemText,
  readPod,
} from '@fenestra/pods';

/** A pod with one container, or with the given specification. */
export function podOf(spec: JsonObject = {}): Pod {
  const read = readPod({
    metadata: { name: 'web', namespace: 'shop', uid: 'uid-1' },
    spec: { containers: [{ name: 'main', image: 'web:1' }], ...spec },
  });
  if ('problems' in read) throw new Error(read.problems.map(podProblemText).join('\n'));
  return read.pod;
}

/** A container with these fields. */
export function containerOf(fields: JsonObject): Container {
  const [container] = podOf({ containers: [{ name: 'main', image: 'web:1', ...fields }] }).spec.containers;
  if (container === undefined) throw new Error('no container');
  return container;
}

/** A running instance whose id is the name of its container. */
export function observedRunning(name: string, startedAt = 0): ObservedContainer {
  const image = { image: 'web:1', imageId: 'sha256:1', hash: '' };
  return { id: name, name, sandboxId: 's', attempt: 0, state: 'running', createdAt: startedAt, startedAt, ...image };
}

/** What there is of a pod whose containers run since `startedAt`. */
export function factsOf(pod: Pod, startedAt: number): PodFacts {
  const sandbox = { id: 's', attempt: 0, ready: true, createdAt: startedAt, ips: ['127.0.0.1'], hostNetwork: false };
  return {
    pod,
    observed: {
      sandboxes: [sandbox],
      containers: pod.spec.containers.map(({ name }) => observedRunning(name, startedAt)),
    },
    now: Date.now(),
    startTime: startedAt,
    backoffs: new Map(),
    failures: new Map(),
    probes: new Map(),
    starting: new Set(),
    toRestart: new Set(),
    loggedAttempts: new Map(),
  };
}

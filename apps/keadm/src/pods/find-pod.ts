import { OperatorError } from '@fenestra/kernel';
import type { ContainerView, PodView } from '@fenestra/pods';

/** Finds a pod by `NAME` or `NAMESPACE/NAME`. */
export function findPod(pods: readonly PodView[], name: string): PodView {
  const found = pods.filter((pod) => pod.name === name || keyOf(pod) === name);
  const [pod] = found;
  if (pod === undefined) {
    throw new OperatorError('PATH_NOT_FOUND', `Cannot find the pod "${name}" on this node`, {
      hint: 'List the pods of this node with "keadm pod list".',
    });
  }
  if (found.length === 1) return pod;
  throw new OperatorError('USAGE', `Cannot choose a pod "${name}": there are ${found.map(keyOf).join(', ')}`, {
    hint: `Give the namespace as well, such as "${keyOf(pod)}".`,
  });
}

/** `namespace/name` of a pod. */
export function keyOf({ namespace, name }: Pick<PodView, 'name' | 'namespace'>): string {
  return `${namespace}/${name}`;
}

/** Finds a container of a pod; without a name, the only regular one. */
export function findContainer(pod: PodView, name: string | undefined): ContainerView {
  const regular = pod.containers.filter(({ role }) => role === 'regular');
  const candidates = name === undefined ? regular : pod.containers.filter((container) => container.name === name);
  const [container] = candidates;
  const names = pod.containers.map((each) => each.name).join(', ');
  if (container === undefined) {
    const what = name === undefined ? 'a container' : `the container "${name}"`;
    throw new OperatorError('PATH_NOT_FOUND', `Cannot find ${what} in the pod "${keyOf(pod)}"`, {
      hint: names === '' ? 'Look at the pod with "keadm pod describe".' : `Give one of its containers: ${names}.`,
    });
  }
  if (candidates.length === 1) return container;
  throw new OperatorError('USAGE', `Cannot choose a container of the pod "${keyOf(pod)}": it has ${names}`, {
    hint: `Choose one with "--container", such as "--container ${container.name}".`,
  });
}

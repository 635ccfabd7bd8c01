import type { ContainerRuntime } from '@fenestra/cri';
import type { Container } from '@fenestra/cri/messages';
import { observedContainer, podIdentityOf, type PodInstance } from '@fenestra/pods';

/** Reads what the runtime has of pods. */
export async function readInstances(runtime: ContainerRuntime, signal: AbortSignal): Promise<readonly PodInstance[]> {
  const containers = await runtime.listContainers({}, signal);
  const read = await Promise.all(containers.map(async (container) => readInstance(runtime, container, signal)));
  return read.flat();
}

async function readInstance(
  runtime: ContainerRuntime,
  container: Container,
  signal: AbortSignal,
): Promise<readonly PodInstance[]> {
  const pod = podIdentityOf(container.labels);
  if (pod === undefined) return [];
  const status = await runtime.containerStatus(container.id, signal);
  return status === undefined ? [] : [{ ...observedContainer(container, status), pod }];
}

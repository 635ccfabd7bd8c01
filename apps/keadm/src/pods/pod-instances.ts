import type { ContainerRuntime } from '@fenestra/cri';
import type { Container } from '@fenestra/cri/messages';
import { ANNOTATIONS, podIdentityOf, type PodInstance } from '@fenestra/pods';

/** The numbers of the interface, without loading the description of every message. */
const STATES = ['created', 'running', 'exited', 'unknown'] as const;
const NANOSECONDS_PER_MILLISECOND = 1_000_000n;

/** Reads what the runtime has of pods. How an instance ended is asked for each one that has. */
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
  const { id, labels, annotations, metadata, podSandboxId } = container;
  const pod = podIdentityOf(labels);
  if (pod === undefined) return [];
  const state = STATES[container.state] ?? 'unknown';
  const found = {
    pod,
    id,
    state,
    name: metadata?.name ?? '',
    sandboxId: podSandboxId,
    attempt: Number(annotations[ANNOTATIONS.restartCount] ?? metadata?.attempt ?? 0),
    createdAt: milliseconds(container.createdAt),
    image: container.image?.userSpecifiedImage || (container.image?.image ?? ''),
    imageId: container.imageRef,
    hash: annotations[ANNOTATIONS.hash] ?? '',
  };
  const status = state === 'exited' ? await runtime.containerStatus(id, signal) : undefined;
  if (status === undefined) return state === 'exited' ? [] : [found];
  const { finishedAt, exitCode, reason, message } = status;
  return [{ ...found, finishedAt: milliseconds(finishedAt), exitCode, reason, ...(message !== '' && { message }) }];
}

function milliseconds(nanoseconds: bigint): number {
  return Number(nanoseconds / NANOSECONDS_PER_MILLISECOND);
}

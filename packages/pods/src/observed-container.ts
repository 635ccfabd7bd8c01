import { containerStateOf } from '@fenestra/cri';
import type { Container, ContainerStatus } from '@fenestra/cri/messages';
import { ANNOTATIONS } from './identity/labels.ts';
import type { ObservedContainer } from './observed.ts';

const NANOSECONDS_PER_MILLISECOND = 1_000_000n;

/** Reads an instance of a container from what the runtime lists of it and from its status. */
export function observedContainer(container: Container, status: ContainerStatus): ObservedContainer {
  return { ...identityOf(container, status), ...lifeOf(status) };
}

function identityOf({ id, metadata, annotations, podSandboxId }: Container, { image, imageRef }: ContainerStatus) {
  return {
    id,
    name: metadata?.name ?? '',
    sandboxId: podSandboxId,
    attempt: Number(annotations[ANNOTATIONS.restartCount] ?? metadata?.attempt ?? 0),
    image: image?.userSpecifiedImage || (image?.image ?? ''),
    imageId: imageRef,
    hash: annotations[ANNOTATIONS.hash] ?? '',
  };
}

function lifeOf(status: ContainerStatus): Omit<ObservedContainer, keyof ReturnType<typeof identityOf>> {
  const state = wasAbandoned(status) ? 'created' : containerStateOf(status);
  const { startedAt, finishedAt, exitCode, reason, message } = status;
  return {
    state,
    createdAt: toMilliseconds(status.createdAt),
    ...(startedAt > 0n && { startedAt: toMilliseconds(startedAt) }),
    ...(state === 'exited' && { finishedAt: toMilliseconds(finishedAt), exitCode }),
    ...(reason !== '' && { reason }),
    ...(message !== '' && { message }),
  };
}

const ABANDONED = /context canceled|failed to start shim: .*signal: killed/;

/**
 * Whether containerd gave up the start of an instance because the agent that had asked for it was gone. It reports an
 * end, but the instance is one that was never started, and does not count as a restart.
 */
function wasAbandoned({ reason, startedAt, message }: ContainerStatus): boolean {
  return reason === 'StartError' && startedAt === 0n && ABANDONED.test(message);
}

/** A time of the interface in milliseconds since 1970. */
export function toMilliseconds(nanoseconds: bigint): number {
  return Number(nanoseconds / NANOSECONDS_PER_MILLISECOND);
}

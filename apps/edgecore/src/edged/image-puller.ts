import { type ContainerRuntime, GRPC_STATUS, hasStatus, type PodSandboxConfigInit } from '@fenestra/cri';
import type { Image } from '@fenestra/cri/messages';
import { type Container, nextBackoff, type BackoffEntry, type Pod, retryTime } from '@fenestra/pods';
import { slots } from './slots.ts';
import { StartError } from './start-error.ts';

/** An image that is on this node. */
export interface PresentImage {
  /** Its id, by which containers are made from it. */
  readonly ref: string;
  readonly user: { readonly uid?: number; readonly username?: string };
}

/** Gets the images of containers. */
export interface ImagePuller {
  /** Returns the image, pulled if the policy of the container asks for it; throws a `StartError` if it cannot be had. */
  ensure(pod: Pod, container: Container, sandbox: PodSandboxConfigInit, signal: AbortSignal): Promise<PresentImage>;
}

/** What a puller is made with. */
export interface ImagePullerOptions {
  readonly runtime: ContainerRuntime;
  readonly maxParallel: number;
  readonly now: () => number;
}

/** Makes a puller. It remembers failures of each pod's image, so that a registry is not asked all the time. */
export function imagePuller({ runtime, maxParallel, now }: ImagePullerOptions): ImagePuller {
  const inSlot = slots(maxParallel);
  const failures = new Map<string, { readonly entry: BackoffEntry; readonly at: number; readonly message: string }>();

  async function pull(key: string, image: string, sandbox: PodSandboxConfigInit, signal: AbortSignal): Promise<void> {
    const last = failures.get(key);
    const allowedAt = last === undefined ? now() : retryTime(last.entry, image, last.at, now());
    if (last !== undefined && allowedAt > now()) throw new StartError('ErrImagePull', last.message, allowedAt);
    try {
      await inSlot(async () => runtime.pullImage({ image }, undefined, sandbox, signal));
      failures.delete(key);
    } catch (cause) {
      signal.throwIfAborted();
      const message = cause instanceof Error ? cause.message : String(cause);
      const entry = nextBackoff(last?.entry, image, last?.at ?? now(), now());
      failures.set(key, { entry, at: now(), message });
      const reason = hasStatus(cause, GRPC_STATUS.UNIMPLEMENTED) ? 'ImageInspectError' : 'ErrImagePull';
      throw new StartError(reason, message, now() + entry.delayMs);
    }
  }

  return {
    async ensure({ metadata }, container, sandbox, signal) {
      const name = withTag(container.image);
      const present = await runtime.imageStatus({ image: name }, signal);
      const policy = container.imagePullPolicy;
      if (policy === 'Never' && present === undefined) {
        throw new StartError(
          'ErrImageNeverPull',
          `Container image "${container.image}" is not present with pull policy of Never`,
        );
      }
      if (present !== undefined && policy !== 'Always') return presentImage(present);
      await pull(`${metadata.uid} ${name}`, name, sandbox, signal).catch((cause: unknown) => {
        // A registry that is out of reach does not keep a pod from running whose image is there.
        if (present === undefined) throw cause;
      });
      const pulled = await runtime.imageStatus({ image: name }, signal);
      if (pulled === undefined)
        throw new StartError('ErrImagePull', `the image "${name}" is not there after it was pulled`);
      return presentImage(pulled);
    },
  };
}

function presentImage({ id, uid, username }: Image): PresentImage {
  return {
    ref: id,
    user: { ...(uid !== undefined && { uid: Number(uid.value) }), ...(username !== '' && { username }) },
  };
}

/** A name without tag and digest means the tag `latest`. */
function withTag(image: string): string {
  const last = image.slice(image.lastIndexOf('/') + 1);
  return last.includes(':') || last.includes('@') ? image : `${image}:latest`;
}

import { objectResource, RESOURCE_TYPES } from '@fenestra/contracts';
import type { ContainerRuntime, PodSandboxConfigInit } from '@fenestra/cri';
import type { Image } from '@fenestra/cri/messages';
import {
  absentImage,
  type BackoffEntry,
  type Container,
  failedPull,
  normalImageName,
  parseImageName,
  type Pod,
  pullCredentials,
  pullDecision,
  type StartFailure,
} from '@fenestra/pods';
import type { KubeObject } from '../meta/kube-object.ts';
import type { NodeMemory } from '../meta/node-memory.ts';
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
  readonly memory: Pick<NodeMemory, 'query'>;
  readonly maxParallel: number;
  readonly now: () => number;
}

interface FailedPull {
  readonly failure: StartFailure;
  readonly backoff: BackoffEntry;
}

/** Makes a puller. It remembers failures by pod and image, so that a registry is not asked all the time. */
export function imagePuller(options: ImagePullerOptions): ImagePuller {
  const { runtime, now } = options;
  const inSlot = slots(options.maxParallel);
  const failures = new Map<string, FailedPull>();

  async function pull(pod: Pod, image: string, sandbox: PodSandboxConfigInit, signal: AbortSignal): Promise<void> {
    const key = `${pod.metadata.uid} ${image}`;
    const last = failures.get(key);
    if (last !== undefined && last.failure.retryAt > now()) throw StartError.of(last.failure);
    try {
      await inSlot(async () => pullWithAny(options, pod, image, sandbox, signal));
      failures.delete(key);
    } catch (cause) {
      signal.throwIfAborted();
      const message = cause instanceof Error ? cause.message : String(cause);
      const failed = failedPull(image, message, last?.backoff, now());
      failures.set(key, failed);
      throw StartError.of(failed.failure);
    }
  }

  return {
    async ensure(pod, container, sandbox, signal) {
      if (parseImageName(container.image) === undefined) {
        throw new StartError('InvalidImageName', `"${container.image}" is not the name of an image`);
      }
      const image = normalImageName(container.image);
      const present = await runtime.imageStatus({ image }, signal);
      const decision = pullDecision(container, present !== undefined);
      if (decision === 'refuse') throw StartError.of(absentImage(container, now()));
      if (decision === 'use-present' && present !== undefined) return presentImage(present);
      await pull(pod, image, sandbox, signal).catch((cause: unknown) => {
        // A registry that is out of reach must not keep a pod from running whose image is there.
        if (present === undefined) throw cause;
      });
      const pulled = await runtime.imageStatus({ image }, signal);
      if (pulled === undefined) throw new StartError('ErrImagePull', `the image "${image}" is missing after its pull`);
      return presentImage(pulled);
    },
  };
}

/** Tries each of the credentials that fit, then none. The last failure counts. */
async function pullWithAny(
  { runtime, memory }: ImagePullerOptions,
  pod: Pod,
  image: string,
  sandbox: PodSandboxConfigInit,
  signal: AbortSignal,
): Promise<void> {
  const credentials = pullCredentials(image, await pullSecrets(pod, memory, signal));
  for (const auth of credentials) {
    try {
      await runtime.pullImage({ image }, auth, sandbox, signal);
      return;
    } catch {
      signal.throwIfAborted();
    }
  }
  await runtime.pullImage({ image }, undefined, sandbox, signal);
}

/** Those that do not exist are left out: the pull says what it lacks. */
async function pullSecrets(
  { metadata, spec }: Pod,
  memory: Pick<NodeMemory, 'query'>,
  signal: AbortSignal,
): Promise<readonly KubeObject[]> {
  const found = (spec.imagePullSecrets ?? []).map(async ({ name }) =>
    memory.query(objectResource(metadata.namespace, RESOURCE_TYPES.secret, name), signal).catch(() => undefined),
  );
  return (await Promise.all(found)).filter((secret) => secret !== undefined);
}

function presentImage({ id, uid, username }: Image): PresentImage {
  return {
    ref: id,
    user: { ...(uid !== undefined && { uid: Number(uid.value) }), ...(username !== '' && { username }) },
  };
}

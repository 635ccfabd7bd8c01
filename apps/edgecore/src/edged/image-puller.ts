import { objectResource, RESOURCE_TYPES } from '@fenestra/contracts';
import type { ContainerRuntime, PodSandboxConfigInit } from '@fenestra/cri';
import type { Image } from '@fenestra/cri/messages';
import type { JsonObject } from '@fenestra/kernel';
import {
  absentImage,
  type BackoffEntry,
  type Container,
  failedPull,
  isRegistryUnreachable,
  parseImageName,
  type Pod,
  podKey,
  pullCredentials,
  pullDecision,
  retryTime,
  type StartFailure,
} from '@fenestra/pods';
import type { Logger } from '@fenestra/platform';
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
  readonly runtime: Pick<ContainerRuntime, 'imageStatus' | 'pullImage'>;
  readonly memory: Pick<NodeMemory, 'query'>;
  readonly log: Logger;
  readonly maxParallel: number;
  readonly now: () => number;
}

/** Makes a puller. It remembers failures of each pod's image, so that a registry is not asked all the time. */
export function imagePuller(options: ImagePullerOptions): ImagePuller {
  const puller = new Puller(options);
  return { ensure: async (...request) => puller.ensure(...request) };
}

interface Failed {
  readonly backoff: BackoffEntry;
  readonly failure: StartFailure;
}

class Puller {
  readonly #options: ImagePullerOptions;
  readonly #inSlot: ReturnType<typeof slots>;
  readonly #failures = new Map<string, Failed>();

  constructor(options: ImagePullerOptions) {
    this.#options = options;
    this.#inSlot = slots(options.maxParallel);
  }

  async ensure(
    pod: Pod,
    container: Container,
    sandbox: PodSandboxConfigInit,
    signal: AbortSignal,
  ): Promise<PresentImage> {
    const { runtime, now } = this.#options;
    const name = nameOf(container);
    const present = await runtime.imageStatus({ image: name }, signal);
    const decision = pullDecision(container, present !== undefined);
    if (decision === 'refuse') throw StartError.of(absentImage(container, now()));
    if (decision === 'use-present' && present !== undefined) return presentImage(present);
    await this.#pull(pod, name, sandbox, signal).catch((cause: unknown) => this.#useWithoutPull(pod, present, cause));
    const pulled = await runtime.imageStatus({ image: name }, signal);
    if (pulled === undefined)
      throw new StartError('ErrImagePull', `the image "${name}" is not there after it was pulled`);
    return presentImage(pulled);
  }

  /** A registry that is out of reach does not keep a pod from running whose image is there; one that refuses does. */
  #useWithoutPull(pod: Pod, present: Image | undefined, cause: unknown): void {
    const isUnreachable = cause instanceof StartError && isRegistryUnreachable(cause.message);
    if (present === undefined || !isUnreachable) throw cause;
    this.#options.log.warn('Cannot reach the registry; using the image that is present', {
      pod: podKey(pod),
      message: cause.message,
    });
  }

  async #pull(pod: Pod, image: string, sandbox: PodSandboxConfigInit, signal: AbortSignal): Promise<void> {
    const { now } = this.#options;
    const key = `${pod.metadata.uid} ${image}`;
    const last = this.#failures.get(key);
    if (last !== undefined && retryTime(last.backoff, image, last.failure.at, now()) > now())
      throw StartError.of(last.failure);
    try {
      await this.#inSlot(async () => this.#pullWithCredentials(pod, image, sandbox, signal));
      this.#failures.delete(key);
    } catch (cause) {
      signal.throwIfAborted();
      const message = cause instanceof Error ? cause.message : String(cause);
      const failed = failedPull(image, message, last?.backoff, now());
      this.#failures.set(key, failed);
      throw StartError.of(failed.failure);
    }
  }

  /** Tries each of the credentials that fit, then none. */
  async #pullWithCredentials(pod: Pod, image: string, sandbox: PodSandboxConfigInit, signal: AbortSignal) {
    const { runtime } = this.#options;
    for (const credentials of pullCredentials(image, await this.#secretsOf(pod, signal))) {
      try {
        return await runtime.pullImage({ image }, credentials, sandbox, signal);
      } catch (cause) {
        signal.throwIfAborted();
        this.#options.log.debug('Cannot pull an image with one of the secrets', {
          pod: podKey(pod),
          image,
          message: cause instanceof Error ? cause.message : String(cause),
        });
      }
    }
    return runtime.pullImage({ image }, undefined, sandbox, signal);
  }

  /** The Secrets for pulls that are there; one that is missing is skipped. */
  async #secretsOf({ metadata, spec }: Pod, signal: AbortSignal): Promise<readonly JsonObject[]> {
    const { memory, log } = this.#options;
    const { namespace, name } = metadata;
    const found = await Promise.all(
      (spec.imagePullSecrets ?? []).map(async (secret) => {
        const resource = objectResource(namespace, RESOURCE_TYPES.secret, secret.name);
        const object = await memory.query(resource, signal).catch(() => undefined);
        if (object === undefined)
          log.warn('A secret for pulling images is missing', { pod: `${namespace}/${name}`, secret: secret.name });
        return object;
      }),
    );
    return found.filter((secret) => secret !== undefined);
  }
}

/** The name for the runtime: one without tag and digest means the tag `latest`. */
function nameOf({ image }: Container): string {
  const name = parseImageName(image);
  if (name === undefined) throw new StartError('InvalidImageName', `"${image}" is not a name of an image`);
  const last = image.slice(image.lastIndexOf('/') + 1);
  return last.includes(':') || last.includes('@') ? image : `${image}:latest`;
}

function presentImage({ id, uid, username }: Image): PresentImage {
  return {
    ref: id,
    user: { ...(uid !== undefined && { uid: Number(uid.value) }), ...(username !== '' && { username }) },
  };
}

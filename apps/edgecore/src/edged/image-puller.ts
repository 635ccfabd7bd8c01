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
  KUBELET_EVENTS,
  type KubeletEvent,
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
import type { PodEvents } from './events/event-recorder.ts';
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
  readonly events: PodEvents;
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

interface Pull {
  readonly pod: Pod;
  readonly image: string;
  /** The image as the container names it. */
  readonly givenName: string;
  readonly sandbox: PodSandboxConfigInit;
  readonly record: (event: KubeletEvent) => void;
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
    const { runtime, events, now } = this.#options;
    const record = (event: KubeletEvent): void => events.record(pod, event, container.name);
    const name = nameOf(container, record);
    const present = await runtime.imageStatus({ image: name }, signal);
    const decision = pullDecision(container, present !== undefined);
    if (decision === 'refuse') throw refusedPull(absentImage(container, now()), record);
    if (decision === 'use-present' && present !== undefined) {
      record(KUBELET_EVENTS.imagePresent(container.image));
      return presentImage(present);
    }
    const pull = { pod, image: name, givenName: container.image, sandbox, record };
    await this.#pull(pull, signal).catch((cause: unknown) => this.#useWithoutPull(pod, present, cause));
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

  async #pull(pull: Pull, signal: AbortSignal): Promise<void> {
    const { now } = this.#options;
    const { pod, image, givenName, record } = pull;
    const key = `${pod.metadata.uid} ${image}`;
    const last = this.#failures.get(key);
    if (last !== undefined && retryTime(last.backoff, image, last.failure.at, now()) > now())
      throw StartError.of(last.failure, KUBELET_EVENTS.startFailed('ImagePullBackOff'));
    try {
      await this.#pullInSlot(pull, signal);
      this.#failures.delete(key);
    } catch (cause) {
      signal.throwIfAborted();
      const message = cause instanceof Error ? cause.message : String(cause);
      const failed = failedPull(image, message, last?.backoff, now());
      this.#failures.set(key, failed);
      record(KUBELET_EVENTS.pullFailed(givenName, message));
      throw StartError.of(failed.failure, KUBELET_EVENTS.startFailed(failed.failure.reason));
    }
  }

  async #pullInSlot(pull: Pull, signal: AbortSignal): Promise<void> {
    const { image, givenName, record } = pull;
    const { runtime } = this.#options;
    const askedAt = performance.now();
    record(KUBELET_EVENTS.pulling(givenName));
    const pullMs = await this.#inSlot(async () => {
      const beganAt = performance.now();
      await this.#pullWithCredentials(pull, signal);
      return performance.now() - beganAt;
    });
    const size = (await runtime.imageStatus({ image }, signal))?.size ?? 0n;
    record(KUBELET_EVENTS.pulled(givenName, { pullMs, wholeMs: performance.now() - askedAt }, size));
  }

  /** Tries each of the credentials that fit, then none. */
  async #pullWithCredentials({ pod, image, sandbox }: Pull, signal: AbortSignal) {
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
function nameOf({ image }: Container, record: Pull['record']): string {
  if (parseImageName(image) === undefined) {
    record(KUBELET_EVENTS.imageNameInvalid(image));
    const event = KUBELET_EVENTS.startFailed('InvalidImageName');
    throw new StartError('InvalidImageName', `"${image}" is not a name of an image`, { event });
  }
  const last = image.slice(image.lastIndexOf('/') + 1);
  return last.includes(':') || last.includes('@') ? image : `${image}:latest`;
}

function refusedPull(failure: StartFailure, record: Pull['record']): StartError {
  record(KUBELET_EVENTS.imageNeverPulled(failure.message));
  return StartError.of(failure, KUBELET_EVENTS.startFailed(failure.reason));
}

function presentImage({ id, uid, username }: Image): PresentImage {
  return {
    ref: id,
    user: { ...(uid !== undefined && { uid: Number(uid.value) }), ...(username !== '' && { username }) },
  };
}

import type { ContainerRuntime } from '@fenestra/cri';
import type { Container, PodSandbox, PodSandboxStatus } from '@fenestra/cri/messages';
import {
  LABELS,
  observedContainer,
  type ObservedContainer,
  type ObservedPod,
  type ObservedSandbox,
  type TextMap,
  toMilliseconds,
} from '@fenestra/pods';
import { lastWordOf } from './termination-message.ts';

/** One instance of a container with its annotations, which say how to stop it when its pod is not known any more. */
export interface ObservedInstance extends ObservedContainer {
  readonly annotations: TextMap;
}

/** What the runtime has of one pod. */
export interface PodObservation extends ObservedPod {
  readonly containers: readonly ObservedInstance[];
}

/** Reads what the runtime has of one pod, container by container. */
export type PodObserver = (uid: string, signal: AbortSignal) => Promise<PodObservation>;

/** The numbers of the interface, without loading the description of every message. */
const SANDBOX_READY = 0;
const NETWORK_OF_NODE = 2;

/** Makes an observer. What cannot change any more, such as how a container ended, is read once. */
export function podObserver(runtime: ContainerRuntime): PodObserver {
  const ended = new Map<string, ObservedInstance>();
  return async (uid, signal) => {
    const labelSelector = { [LABELS.podUid]: uid };
    const [sandboxes, containers] = await Promise.all([
      runtime.listSandboxes({ labelSelector }, signal),
      runtime.listContainers({ labelSelector }, signal),
    ]);
    const observed = {
      sandboxes: await Promise.all(sandboxes.map(async (sandbox) => observeSandbox(runtime, sandbox, signal))),
      containers: await Promise.all(
        containers.map(async (container) => ended.get(container.id) ?? observeContainer(runtime, container, signal)),
      ),
    };
    for (const container of observed.containers) if (container?.state === 'exited') ended.set(container.id, container);
    if (ended.size > MOST_REMEMBERED) ended.clear();
    return { sandboxes: observed.sandboxes.filter(isThere), containers: observed.containers.filter(isThere) };
  };
}

const MOST_REMEMBERED = 1_000;

function isThere<Part>(part: Part | undefined): part is Part {
  return part !== undefined;
}

async function observeSandbox(
  runtime: ContainerRuntime,
  sandbox: PodSandbox,
  signal: AbortSignal,
): Promise<ObservedSandbox | undefined> {
  const isReady = isNumber(sandbox.state, SANDBOX_READY);
  const status = isReady ? await runtime.sandboxStatus(sandbox.id, signal) : undefined;
  // It was removed since it was listed.
  if (isReady && status === undefined) return undefined;
  return {
    id: sandbox.id,
    attempt: sandbox.metadata?.attempt ?? 0,
    ready: status !== undefined && isNumber(status.state, SANDBOX_READY),
    createdAt: toMilliseconds(sandbox.createdAt),
    ips: status === undefined ? [] : addressesOf(status),
    hostNetwork: isNumber(status?.linux?.namespaces?.options?.network, NETWORK_OF_NODE),
  };
}

function isNumber(value: number | undefined, expected: number): boolean {
  return value === expected;
}

function addressesOf({ network }: PodSandboxStatus): readonly string[] {
  const addresses = [network?.ip ?? '', ...(network?.additionalIps ?? []).map(({ ip }) => ip)];
  return addresses.filter((address) => address !== '');
}

async function observeContainer(
  runtime: ContainerRuntime,
  container: Container,
  signal: AbortSignal,
): Promise<ObservedInstance | undefined> {
  const status = await runtime.containerStatus(container.id, signal);
  if (status === undefined) return undefined;
  const observed = { ...observedContainer(container, status), annotations: container.annotations };
  if (observed.state !== 'exited') return observed;
  const message = await lastWordOf(status, container.annotations);
  return { ...observed, ...(message !== '' && { message }) };
}

import { OperatorError } from '@fenestra/kernel';
import type { StepPorts } from './step-ports.ts';

/** A node as its cloud has it. */
export interface CloudNode {
  /** By which it is distinguished from a node of the same name in another cloud. */
  readonly uid: string;
  readonly schedulable: boolean;
  readonly ready: boolean;
}

/** A pod that the cloud has given to a node. `ending`: its end was asked for, and the node has not confirmed it yet. */
export interface CloudPod {
  /** Distinguishes it from a later pod of the same name. */
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly ending: boolean;
}

/** The cloud, as the life of one of its nodes sees it. Failures are the catalogue errors of a Kubernetes API. */
export interface NodeCloud {
  /** `https://host:port`. */
  readonly server: string;
  find(node: string, signal: AbortSignal): Promise<CloudNode | undefined>;
  setSchedulable(node: string, schedulable: boolean, signal: AbortSignal): Promise<void>;
  /** The pods that have to leave before the node can go: neither finished, nor a DaemonSet's, nor the node's own. */
  movablePods(node: string, signal: AbortSignal): Promise<readonly CloudPod[]>;
  /** Asks for the end of exactly this pod; `blocked` while a disruption budget forbids it. */
  evict(pod: CloudPod, signal: AbortSignal): Promise<'accepted' | 'blocked'>;
  /** Deletes the node and what it can no longer confirm the end of. */
  remove(node: string, signal: AbortSignal): Promise<void>;
  close(): void;
}

/** Reaches the cloud that a kubeconfig names. */
export type OpenNodeCloud = (kubeconfig: string) => Promise<NodeCloud>;

/** Does something with a cloud, and releases it whatever happens. */
export async function withNodeCloud<T>(
  { openCloud }: Pick<StepPorts, 'openCloud'>,
  kubeconfig: string,
  work: (cloud: NodeCloud) => Promise<T>,
): Promise<T> {
  return withClient('the Kubernetes API', openCloud && (async () => openCloud(kubeconfig)), work);
}

/** Does something with a client of `what`, and closes it whatever happens. */
export async function withClient<Client extends { close(): void }, T>(
  what: string,
  open: (() => Promise<Client>) | undefined,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  if (open === undefined) {
    throw new OperatorError('NOT_SUPPORTED', `Cannot ask ${what}: this program carries no client for it`, {
      hint: 'Run "keadm recover" with the keadm that began this work.',
    });
  }
  const client = await open();
  try {
    return await work(client);
  } finally {
    client.close();
  }
}

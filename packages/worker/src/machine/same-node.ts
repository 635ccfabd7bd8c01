import { OperatorError } from '@fenestra/kernel';
import { within } from '@fenestra/platform';
import { pathExists, withNodeCloud, type CloudNode, type StepPorts } from '@fenestra/steps';

const LIMIT_MS = 30_000;

/** With which a node is drained and deleted, and with which this machine knows itself. */
export interface NodeAccess {
  /** The operator's kubeconfig. */
  readonly kubeconfig: string;
  /** `kubelet.conf`. */
  readonly ownKubeconfig: string;
}

/**
 * Throws `NODE_CONFLICT` if the operator's kubeconfig leads to another cluster than this machine's: a node of the same
 * name there is another machine, and its pods are somebody else's. Where the machine cannot ask its own cluster any more,
 * nobody knows, and the operator is believed.
 */
export async function requireSameNode(
  ports: Pick<StepPorts, 'openCloud'>,
  { kubeconfig, ownKubeconfig }: NodeAccess,
  node: string,
  signal: AbortSignal,
): Promise<void> {
  if (!(await pathExists(ownKubeconfig))) return;
  const own = await find(ports, ownKubeconfig, node, signal).catch(unknownIfRefused);
  if (own === 'unknown') return;
  const theirs = await find(ports, kubeconfig, node, signal);
  if (!isSameNode(own, theirs)) throw otherCluster(kubeconfig, node);
}

/** Whether two clusters that were asked for a node of one name have the same node, or both have none. */
export function isSameNode(
  one: Pick<CloudNode, 'uid'> | undefined,
  other: Pick<CloudNode, 'uid'> | undefined,
): boolean {
  return one?.uid === other?.uid;
}

async function find(
  ports: Pick<StepPorts, 'openCloud'>,
  kubeconfig: string,
  node: string,
  signal: AbortSignal,
): Promise<CloudNode | undefined> {
  return withNodeCloud(ports, kubeconfig, (cloud) => cloud.find(node, within(LIMIT_MS, signal)));
}

function unknownIfRefused(error: unknown): 'unknown' {
  if (error instanceof OperatorError && error.code !== 'INTERRUPTED') return 'unknown';
  throw error;
}

function otherCluster(kubeconfig: string, node: string): OperatorError {
  const message = `The kubeconfig "${kubeconfig}" leads to another cluster: the node "${node}" there is not this machine`;
  return new OperatorError('NODE_CONFLICT', message, {
    hint: 'Give the kubeconfig of the cluster that this machine is a worker of; "keadm kube status" tells which.',
  });
}

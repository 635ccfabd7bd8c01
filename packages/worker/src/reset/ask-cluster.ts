import { OperatorError } from '@fenestra/kernel';
import { within, pathExists } from '@fenestra/platform';
import { withNodeCloud, type CloudNode, type StepPorts } from '@fenestra/session';
import { requireSameNode, type NodeAccess } from '../machine/same-node.ts';

const LIMIT_MS = 30_000;
const OUTAGES: readonly string[] = ['API_UNREACHABLE', 'API_UNTRUSTED', 'API_FAILED', 'TIMED_OUT'];

/** What the cluster says of the node, or why it could not be asked. */
export type ClusterAnswer =
  | { readonly state: 'not-asked' }
  | { readonly state: 'unknown'; readonly reason: string }
  | { readonly state: 'absent'; readonly server: string }
  | ({
      readonly state: 'registered';
      readonly server: string;
      readonly kubeconfig: string;
      /** Whether the kubeconfig is one that may delete nodes: no node may delete itself. */
      readonly mayDelete: boolean;
    } & CloudNode);

/** With which a cluster is asked: the operator's kubeconfig, if one is given, and what the machine has itself. */
export interface ClusterAccess {
  readonly kubeconfig: string | undefined;
  readonly layout: NodeAccess['layout'];
}

/** Asks the cluster by the operator's kubeconfig, or else as the node itself. One that cannot be reached keeps nothing up. */
export async function askCluster(
  ports: StepPorts,
  { kubeconfig, layout }: ClusterAccess,
  node: string,
  signal: AbortSignal,
): Promise<ClusterAnswer> {
  const used = kubeconfig ?? ((await pathExists(layout.kubeconfig)) ? layout.kubeconfig : undefined);
  if (used === undefined) return { state: 'not-asked' };
  const asked = { kubeconfig: used, mayDelete: kubeconfig !== undefined };
  // A kubeconfig of the operator's that is wrong is the operator's to fix before anything is deleted.
  return answered(asked.mayDelete ? OUTAGES : 'all', async () => {
    if (kubeconfig !== undefined) await requireSameNode(ports, { kubeconfig, layout }, node, signal);
    return lookFor(ports, asked, node, signal);
  });
}

/** Asks again for a node that was found to be this machine, when there may be nothing left here to tell that by. */
export async function askAgain(
  ports: StepPorts,
  kubeconfig: string,
  node: string,
  signal: AbortSignal,
): Promise<ClusterAnswer> {
  return answered('all', async () => lookFor(ports, { kubeconfig, mayDelete: true }, node, signal));
}

interface Asked {
  readonly kubeconfig: string;
  readonly mayDelete: boolean;
}

async function lookFor(ports: StepPorts, asked: Asked, node: string, signal: AbortSignal): Promise<ClusterAnswer> {
  return withNodeCloud(ports, asked.kubeconfig, async (cloud) => {
    const found = await cloud.find(node, within(LIMIT_MS, signal));
    const { server } = cloud;
    return found === undefined ? { state: 'absent', server } : { state: 'registered', server, ...asked, ...found };
  });
}

async function answered(borne: readonly string[] | 'all', ask: () => Promise<ClusterAnswer>): Promise<ClusterAnswer> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof OperatorError) || error.code === 'INTERRUPTED') throw error;
    if (borne !== 'all' && !borne.includes(error.code)) throw error;
    return { state: 'unknown', reason: error.message };
  }
}

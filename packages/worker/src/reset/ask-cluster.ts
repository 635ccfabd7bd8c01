import { OperatorError } from '@fenestra/kernel';
import { within } from '@fenestra/platform';
import { pathExists, withNodeCloud, type CloudNode, type StepPorts } from '@fenestra/steps';
import { requireSameNode } from '../machine/same-node.ts';

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

/** Asks the cluster by the operator's kubeconfig, or else as the node itself. One that cannot be reached keeps nothing up. */
export async function askCluster(
  ports: StepPorts,
  { kubeconfig, ownKubeconfig }: { readonly kubeconfig: string | undefined; readonly ownKubeconfig: string },
  node: string,
  signal: AbortSignal,
): Promise<ClusterAnswer> {
  const used = kubeconfig ?? ((await pathExists(ownKubeconfig)) ? ownKubeconfig : undefined);
  if (used === undefined) return { state: 'not-asked' };
  try {
    if (kubeconfig !== undefined) await requireSameNode(ports, { kubeconfig, ownKubeconfig }, node, signal);
    return await withNodeCloud(ports, used, async (cloud) => {
      const found = await cloud.find(node, within(LIMIT_MS, signal));
      const { server } = cloud;
      if (found === undefined) return { state: 'absent', server };
      return { state: 'registered', server, kubeconfig: used, mayDelete: kubeconfig !== undefined, ...found };
    });
  } catch (error) {
    if (!(error instanceof OperatorError) || error.code === 'INTERRUPTED') throw error;
    // A kubeconfig of the operator's that is wrong is the operator's to mend before anything is deleted.
    if (kubeconfig !== undefined && !OUTAGES.includes(error.code)) throw error;
    return { state: 'unknown', reason: error.message };
  }
}

import { OperatorError } from '@fenestra/kernel';
import { within } from '@fenestra/platform';
import { withNodeCloud, type CloudNode, type StepPorts } from '@fenestra/session';

const LIMIT_MS = 30_000;

/** What the cloud says of the node, or why it could not be asked. */
export type CloudAnswer =
  | { readonly state: 'not-asked' }
  | { readonly state: 'unknown'; readonly reason: string }
  | { readonly state: 'absent'; readonly server: string }
  | ({ readonly state: 'registered'; readonly server: string; readonly kubeconfig: string } & CloudNode);

/** Asks the cloud that was named. One that cannot be reached is no reason to keep the node. */
export async function askCloud(
  ports: StepPorts,
  { kubeconfig }: { readonly kubeconfig: string | undefined },
  node: string,
  signal: AbortSignal,
): Promise<CloudAnswer> {
  if (kubeconfig === undefined) return { state: 'not-asked' };
  try {
    return await withNodeCloud(ports, kubeconfig, async (cloud) => {
      const found = await cloud.find(node, within(LIMIT_MS, signal));
      const { server } = cloud;
      return found === undefined ? { state: 'absent', server } : { state: 'registered', server, kubeconfig, ...found };
    });
  } catch (error) {
    if (!(error instanceof OperatorError) || !isOutage(error)) throw error;
    return { state: 'unknown', reason: error.message };
  }
}

/** A kubeconfig that is wrong, or an account without the rights, is the operator's to mend before anything is deleted. */
function isOutage({ code }: OperatorError): boolean {
  return code === 'API_UNREACHABLE' || code === 'API_FAILED' || code === 'TIMED_OUT';
}

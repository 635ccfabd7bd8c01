import type { ServiceStatus } from '@fenestra/platform';
import type { StepPorts } from '@fenestra/session';

/** Where a kubelet listens by default. The agent has its own port, so that the two can be distinguished. */
const KUBELET_PORT = 10_250;

/**
 * What shows that someone else's kubelet manages pods here, in words; `undefined` if nothing does. Pods carry no mark
 * of whose they are. Ask only while the agent, or the kubelet whose service is meant, is stopped.
 */
export async function otherKubelet({ services, host }: StepPorts, ofKubelet: boolean): Promise<string | undefined> {
  if (!ofKubelet && isInUse(await services.status('kubelet'))) return 'the service "kubelet" manages pods here';
  if (await host.portFree(KUBELET_PORT)) return undefined;
  return `something listens on port ${KUBELET_PORT}, which is a kubelet's`;
}

/** One that is stopped but starts with the machine is being maintained, and its pods run on. */
function isInUse({ state, startType }: ServiceStatus): boolean {
  if (state === 'absent') return false;
  return state !== 'stopped' || startType === 'automatic' || startType === 'automatic-delayed';
}

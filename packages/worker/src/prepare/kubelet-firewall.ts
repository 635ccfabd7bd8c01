import type { Firewall, FirewallRule } from '@fenestra/platform';
import { KUBELET_PORT } from '../preflight/gather-preflight.ts';
import type { WorkerRecord } from '../record/worker-record.ts';

/** Lets the API server reach the kubelet. */
export const KUBELET_RULE: FirewallRule = {
  name: 'fenestra-kubelet',
  description: 'Lets the Kubernetes API server reach the kubelet of this worker',
  protocol: 'tcp',
  port: KUBELET_PORT,
};

/**
 * The rule, where there is a firewall of ours to tell that does not have it in force. What the system does not say is
 * believed if it was made before.
 */
export async function missingRule(
  firewall: Firewall,
  record: Pick<WorkerRecord, 'firewallRule'> | undefined,
): Promise<FirewallRule | undefined> {
  if (!firewall.managed) return undefined;
  const state = await firewall.state(KUBELET_RULE);
  const isThere = state === 'open' || (state === 'unknown' && record?.firewallRule === KUBELET_RULE.name);
  return isThere ? undefined : KUBELET_RULE;
}

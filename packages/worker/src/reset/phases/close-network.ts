import type { Phase, Step } from '@fenestra/kernel';
import type { RemoveContainerNetwork } from '@fenestra/steps';
import type { KubeResetFacts } from '../reset-facts.ts';

/** The firewall's rule for the kubelet, and the networks that came with the cluster. */
export const closeNetwork: Phase<KubeResetFacts> = {
  id: 'close-network',
  title: 'Take the networks away',
  plan({ firewallRule, networks }) {
    const close: readonly Step[] =
      firewallRule === undefined ? [] : [{ kind: 'close-firewall', rule: { ...firewallRule }, pointOfNoReturn: true }];
    return [
      ...networks.map(({ id, name }): RemoveContainerNetwork => ({
        kind: 'remove-container-network',
        id,
        name,
        pointOfNoReturn: true,
      })),
      ...close,
    ];
  },
};

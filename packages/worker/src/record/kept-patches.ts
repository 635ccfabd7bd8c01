import { KUBELET_TARGET, type Patch } from '@fenestra/contracts/kube';
import type { Membership } from './worker-record.ts';

/** The part of patches that a worker remembers: others are for a control plane. */
export function keptPatches(patches: readonly Patch[]): Pick<Membership, 'patches'> {
  const kept = patches.filter(({ target }) => target === KUBELET_TARGET);
  return kept.length === 0 ? {} : { patches: kept };
}

import { criEndpoint, defaultCriEndpoint } from '@fenestra/contracts/kube';
import { OperatorError } from '@fenestra/kernel';
import type { HostFacts } from '@fenestra/platform';

/** The container runtime's endpoint: the one that is asked for, or else the only one that is there, or else the usual one. */
export function chooseRuntime(asked: string | undefined, { os, runtimes }: Pick<HostFacts, 'os' | 'runtimes'>): string {
  if (asked !== undefined) return criEndpoint(asked, os);
  // Docker's own socket is of no use to a kubelet.
  const found = runtimes.filter(({ runtime }) => runtime !== 'docker').map(({ endpoint }) => endpoint);
  if (found.length > 1) throw several(found);
  return found[0] ?? defaultCriEndpoint(os);
}

function several(found: readonly string[]): OperatorError {
  return new OperatorError('USAGE', `Cannot choose a container runtime: there are ${found.join(', ')}`, {
    hint: 'Name one with "--cri-socket".',
  });
}

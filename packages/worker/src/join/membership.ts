import type { Discovery } from '@fenestra/contracts/kube';
import { OperatorError } from '@fenestra/kernel';
import type { WorkerMachine } from '../machine/gather-machine.ts';
import type { Membership } from '../record/worker-record.ts';

/** Where the operator says that the cluster is, in the words that are remembered. */
export function placeOf(discovery: Discovery): string {
  switch (discovery.kind) {
    case 'token':
      return discovery.endpoint;
    case 'file':
      return discovery.path;
    case 'url':
      return discovery.url;
  }
}

/**
 * The cluster that this machine is a worker of already, if that is the one that is wanted; `undefined` if it is none's.
 * Throws `NODE_CONFLICT` if it is another's, or another node of it.
 */
export function presentMembership(
  { record, hasIdentity }: Pick<WorkerMachine, 'record' | 'hasIdentity'>,
  wanted: { readonly discovery: Discovery; readonly nodeName: string },
): Membership | undefined {
  const present = record?.cluster ?? undefined;
  if (present === undefined || !hasIdentity) return undefined;
  if (present.nodeName === wanted.nodeName && isSameCluster(present, placeOf(wanted.discovery))) return present;
  const message = `This machine is the worker "${present.nodeName}" of the cluster at ${present.server} already`;
  throw new OperatorError('NODE_CONFLICT', message, {
    hint: 'Take it off with "keadm kube reset" first.',
    details: { node: present.nodeName, server: present.server },
  });
}

function isSameCluster({ endpoint, server }: Membership, place: string): boolean {
  return place === endpoint || server === `https://${place}`;
}

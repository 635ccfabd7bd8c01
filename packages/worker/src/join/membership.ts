import { type Discovery, parsePin, pinnedCa } from '@fenestra/contracts/kube';
import { OperatorError } from '@fenestra/kernel';
import { pathExists, type WorkerLayout } from '@fenestra/platform';
import type { WorkerMachine } from '../machine/gather-machine.ts';
import { type Membership, readRecord } from '../worker-record.ts';

/** Where the operator says that the cluster is, in the words that are remembered. */
export function placeOf(discovery: Discovery): string {
  switch (discovery.kind) {
    case 'token':
      return discovery.endpoint;
    case 'file':
      return discovery.path;
    case 'url':
      return withoutSecrets(new URL(discovery.url));
  }
}

/** What goes to a file in clear: an address may hold a password or a token, before its host or after its path. */
function withoutSecrets({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

/** The wanted cluster if this machine is its worker already. Throws `NODE_CONFLICT` for another cluster or node. */
export function presentMembership(
  { record, hasIdentity }: Pick<WorkerMachine, 'record' | 'hasIdentity'>,
  wanted: { readonly discovery: Discovery; readonly nodeName: string; readonly ca: string | undefined },
): Membership | undefined {
  const present = record?.cluster ?? undefined;
  if (present === undefined || !hasIdentity) return undefined;
  const isIt = present.nodeName === wanted.nodeName && isSameCluster(present, placeOf(wanted.discovery));
  const known = hasWantedCa(wanted);
  if (isIt && known) return present;
  const otherwise = isIt ? ', whose CA does not match the given hash' : '';
  const message = `This machine is the worker "${present.nodeName}" of the cluster at ${present.server} already${otherwise}`;
  throw new OperatorError('NODE_CONFLICT', message, {
    hint: 'Take it off with "keadm kube reset" first.',
    details: { node: present.nodeName, server: present.server },
  });
}

/** Throws `NODE_CONFLICT` for an identity that a kubelet would use: then it never looks at the token. */
export function refuseOldIdentity({ hasIdentity, layout }: Pick<WorkerMachine, 'hasIdentity' | 'layout'>): void {
  if (!hasIdentity) return;
  const message = `Cannot leave the first certificate to the kubelet: by "${layout.kubeconfig}" it has an identity already`;
  throw new OperatorError('NODE_CONFLICT', message, {
    hint: 'Take what is left of another join off with "keadm kube reset", or leave "--bootstrap kubelet" out.',
  });
}

/** Another cluster may have come up at the same address. Without a hash, or without the CA's file, no one can determine. */
function hasWantedCa({ discovery, ca }: { readonly discovery: Discovery; readonly ca: string | undefined }): boolean {
  if (ca === undefined || discovery.kind !== 'token' || discovery.caHashes.length === 0) return true;
  return pinnedCa(ca, discovery.caHashes.map(parsePin));
}

function isSameCluster({ endpoint, server }: Membership, place: string): boolean {
  return place === endpoint || server === `https://${place}`;
}

/** Whether this machine is a worker that keadm joined, so that another join asks no cluster and needs no token. */
export async function alreadyJoined({
  recordFile,
  kubeconfig,
}: Pick<WorkerLayout, 'recordFile' | 'kubeconfig'>): Promise<boolean> {
  try {
    const record = await readRecord(recordFile);
    return record !== undefined && record.cluster !== null && (await pathExists(kubeconfig));
  } catch (error) {
    // The join itself shows what is wrong with the record, or with the rights to read it.
    if (error instanceof OperatorError) return false;
    throw error;
  }
}

import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { shareCa } from '@fenestra/contracts/kube';
import { OperatorError } from '@fenestra/kernel';
import { pathExists, within, type WorkerLayout } from '@fenestra/platform';
import { type CloudNode, type StepPorts, withNodeCloud } from '@fenestra/session';
import { readClusterEntry } from '../discovery/kubeconfig.ts';

const LIMIT_MS = 30_000;

/** With which a node is drained and deleted, and by what this machine knows itself and its cluster. */
export interface NodeAccess {
  readonly kubeconfig: string;
  readonly layout: Pick<WorkerLayout, 'kubeconfig' | 'caFile'>;
}

/** Throws `NODE_CONFLICT` unless the operator's kubeconfig leads to this very machine and not to a namesake. */
export async function requireSameNode(
  ports: Pick<StepPorts, 'openCloud'>,
  { kubeconfig, layout }: NodeAccess,
  node: string,
  signal: AbortSignal,
): Promise<void> {
  const verdict = judgeNode({
    own: await findOwn(ports, layout.kubeconfig, node, signal),
    theirs: await find(ports, kubeconfig, node, signal),
    ownCa: (await clusterCa(layout.kubeconfig)) ?? (await readFile(layout.caFile, 'utf8').catch(() => undefined)),
    theirCa: await clusterCa(kubeconfig),
  });
  if (verdict === 'other') throw otherCluster(kubeconfig, node);
  if (verdict === 'unknown') throw nobodyKnows(kubeconfig, node);
}

interface NodeEvidence {
  /** The node by the machine's own word; `unknown` where its cluster did not answer. */
  readonly own: Pick<CloudNode, 'uid'> | undefined | 'unknown';
  readonly theirs: Pick<CloudNode, 'uid'> | undefined;
  /** The CAs (PEM) of the two clusters, as far as they are known. */
  readonly ownCa: string | undefined;
  readonly theirCa: string | undefined;
}

/** Whether the operator's node is the machine's. Where its own cluster does not answer, the clusters' CAs tell. */
export function judgeNode({ own, theirs, ownCa, theirCa }: NodeEvidence): 'same' | 'other' | 'unknown' {
  if (own !== 'unknown') return own?.uid === theirs?.uid ? 'same' : 'other';
  // A cluster without such a node cannot lose it.
  if (theirs === undefined) return 'same';
  if (ownCa === undefined || theirCa === undefined) return 'unknown';
  return shareCa(ownCa, theirCa) ? 'same' : 'other';
}

async function findOwn(
  ports: Pick<StepPorts, 'openCloud'>,
  kubeconfig: string,
  node: string,
  signal: AbortSignal,
): Promise<NodeEvidence['own']> {
  if (!(await pathExists(kubeconfig))) return 'unknown';
  return find(ports, kubeconfig, node, signal).catch(unknownIfRefused);
}

async function find(
  ports: Pick<StepPorts, 'openCloud'>,
  kubeconfig: string,
  node: string,
  signal: AbortSignal,
): Promise<CloudNode | undefined> {
  return withNodeCloud(ports, kubeconfig, (cloud) => cloud.find(node, within(LIMIT_MS, signal)));
}

function unknownIfRefused(error: unknown): 'unknown' {
  if (error instanceof OperatorError && error.code !== 'INTERRUPTED') return 'unknown';
  throw error;
}

function otherCluster(kubeconfig: string, node: string): OperatorError {
  const message = `The kubeconfig "${kubeconfig}" leads to another cluster: the node "${node}" there is not this machine`;
  return new OperatorError('NODE_CONFLICT', message, {
    hint: 'Give the kubeconfig of the cluster that this machine is a worker of; "keadm kube status" shows it.',
  });
}

function nobodyKnows(kubeconfig: string, node: string): OperatorError {
  const message = `Cannot verify that node "${node}" of the cluster in "${kubeconfig}" is this machine: its own cluster does not answer, and there are no two CAs to compare`;
  return new OperatorError('NODE_CONFLICT', message, {
    hint: `Leave "--kubeconfig" out; if that node is this machine, "kubectl delete node ${node}" deletes it afterwards.`,
  });
}

/** The CA (PEM) of the cluster that a kubeconfig leads to; `undefined` where it does not say, or no one can read it. */
export async function clusterCa(kubeconfig: string): Promise<string | undefined> {
  try {
    const { caBundle, caFile } = readClusterEntry(await readFile(kubeconfig, 'utf8'));
    if (caBundle !== undefined || caFile === undefined) return caBundle;
    return await readFile(resolve(dirname(kubeconfig), caFile), 'utf8');
  } catch {
    return undefined;
  }
}

import { readFile } from 'node:fs/promises';
import { criEndpoint, defaultCriEndpoint } from '@fenestra/contracts/kube';
import { OperatorError } from '@fenestra/kernel';
import type { HostFacts } from '@fenestra/platform';
import { parseFlagsEnv } from '../kubelet-flags/flags-env.ts';
import { recordedCriSocket } from '../kubelet-flags/kubeadm-args.ts';
import type { WorkerMachine } from './gather-machine.ts';

/** The worker's container runtime as the machine, or the node's annotations, know it. Broken files are ignored. */
export async function runtimeSocket(
  { layout, record }: Pick<WorkerMachine, 'layout' | 'record'>,
  annotations: Readonly<Record<string, string>> = {},
): Promise<string | undefined> {
  const instanceConfig = await readFile(layout.instanceConfig, 'utf8').catch(() => undefined);
  const flags = await flagsIn(layout.flagsFile);
  return recordedCriSocket({ flags, instanceConfig, annotations }) ?? record?.cluster?.criSocket;
}

async function flagsIn(path: string): Promise<readonly string[]> {
  try {
    return parseFlagsEnv(await readFile(path, 'utf8'));
  } catch {
    return [];
  }
}

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

import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { readClusterEntry } from '../discovery/kubeconfig.ts';

/** The CA (PEM) of the cluster that a kubeconfig leads to; `undefined` where it does not say, or nobody can read it. */
export async function clusterCa(kubeconfig: string): Promise<string | undefined> {
  try {
    const { caBundle, caFile } = readClusterEntry(await readFile(kubeconfig, 'utf8'));
    if (caBundle !== undefined || caFile === undefined) return caBundle;
    return await readFile(resolve(dirname(kubeconfig), caFile), 'utf8');
  } catch {
    return undefined;
  }
}

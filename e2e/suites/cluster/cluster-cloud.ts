import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KINDS, openKubeApi } from '@fenestra/kube-api';
import { expect, vi } from 'vitest';
import { type KubernetesBed, startKubernetes } from '../../support/beds/kubernetes/kubernetes-bed.ts';
import { type Cloud, startCloud } from '../../support/cloud/cloud.ts';
import { type Manifest, NAMESPACE } from '../../support/cloud/manifests.ts';
import { PATIENCE, unlimited } from '../../support/cloud/patience.ts';

/** A cloud for a real Kubernetes, whose objects are written with Kubernetes' own kubectl. */
export interface ClusterCloud extends Cloud {
  readonly kubernetes: KubernetesBed;
}

const KUBECONFIG = '/root/cluster.kubeconfig';
const RUTHLESS = ['--grace-period=0', '--force', '--wait=false', '--ignore-not-found'];

/** Starts a control plane and a cloud for it. */
export async function startClusterCloud(): Promise<ClusterCloud> {
  const kubernetes = await startKubernetes(unlimited());
  const folder = await mkdtemp(join(tmpdir(), 'fenestra-manifests-'));
  const clear = async (): Promise<void> => {
    await kubernetes.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await untilPodsMayBeMade(kubernetes);
    const hands = kubectlHands(kubernetes, folder);
    const cloud = await startCloud(async (machine) => {
      await copyFile(kubernetes.kubeconfig, machine.node.hostPath(KUBECONFIG));
      return { initFlags: ['--kubeconfig', KUBECONFIG], kubeconfig: KUBECONFIG, ...hands };
    });
    const stop = async (): Promise<void> => {
      await cloud.stop();
      await clear();
    };
    return { ...cloud, kubernetes, stop };
  } catch (error) {
    await clear();
    throw error;
  }
}

/** Kubernetes makes the account that every pod needs a moment after it is up. */
async function untilPodsMayBeMade({ kubeconfig }: KubernetesBed): Promise<void> {
  const api = await openKubeApi({ kubeconfigFile: kubeconfig });
  const account = { namespace: NAMESPACE, name: 'default' };
  try {
    const find = async (): Promise<unknown> => api.find(KINDS.serviceAccount, account, unlimited());
    await vi.waitFor(async () => expect(await find()).toBeDefined(), PATIENCE);
  } finally {
    api.close();
  }
}

function kubectlHands(kubernetes: KubernetesBed, folder: string): Pick<Cloud, 'apply' | 'remove'> {
  const file = join(folder, 'objects.json');
  const run = async (verb: readonly string[], items: readonly Manifest[]): Promise<void> => {
    await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
    const { exitCode, stdout, stderr } = await kubernetes.kubectl([...verb, '--filename', file]);
    if (exitCode !== 0) throw new Error(`kubectl ${verb.join(' ')} ended with ${exitCode}: ${stdout}${stderr}`);
  };
  return {
    apply: async (objects) => run(['apply'], objects),
    remove: async (objects) => run(['delete', ...RUTHLESS], objects),
  };
}

import { KINDS, stringAt } from '@fenestra/kube-api';
import { describe, expect, test, vi } from 'vitest';
import { TEST_IMAGE } from '../../support/beds/test-images.ts';
import { NAMESPACE } from '../../support/cloud/manifests.ts';
import { PATIENCE, unlimited } from '../../support/cloud/patience.ts';
import { workerLife } from '../../support/worker/cases/worker-life.ts';
import { realLinuxCluster, type RealCluster } from './real-cluster.ts';

describe('the life of a worker on Linux, with a real Kubernetes and a real kubelet', () => {
  const parts = realLinuxCluster();
  workerLife(
    () => parts().site,
    () => podCases(parts),
  );
});

function podCases(parts: () => RealCluster): void {
  test('a pod that the scheduler gives it runs on it, with its own address', async () => {
    const { cluster, site } = parts();
    const name = 'sleeper';
    const containers = [{ name: 'main', image: TEST_IMAGE, imagePullPolicy: 'Never' }];
    const wanted = { apiVersion: 'v1', kind: 'Pod', metadata: { namespace: NAMESPACE, name }, spec: { containers } };
    // Kubernetes makes the account that every pod needs a moment after it is up.
    await vi.waitFor(async () => cluster.apply([wanted]), PATIENCE);
    const pod = async () => cluster.api.get(KINDS.pod, { namespace: NAMESPACE, name }, unlimited());
    await vi.waitFor(async () => expect(stringAt(await pod(), 'status', 'phase')).toBe('Running'), PATIENCE);
    expect(stringAt(await pod(), 'spec', 'nodeName')).toBe(site.machine.node.name);
    expect(stringAt(await pod(), 'status', 'podIP')).toMatch(/^198\.51\.100\./);
  });
}

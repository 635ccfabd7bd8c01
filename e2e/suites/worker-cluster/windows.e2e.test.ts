import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, expect, test, vi } from 'vitest';
import { PATIENCE } from '../../support/cloud/patience.ts';
import { ask, succeeded } from '../../support/lifecycle/answer.ts';
import { registrationOf } from '../../support/machines/registration.ts';
import { join, releaseArgs, reset, upgrade } from '../../support/worker/administrator.ts';
import { KUBELET_SERVICE, leftOfWorker, standingOf } from '../../support/worker/machine-state.ts';
import { WINDOWS_KUBELETS } from '../../support/worker/site/supplies.ts';
import { startWindowsSite } from '../../support/worker/site/windows-site.ts';
import { realCluster } from './real-cluster.ts';

describe('a worker on Windows (Wine), with a real Kubernetes and a stand-in for its kubelet', () => {
  const parts = realCluster(async (cluster) => startWindowsSite(cluster, WINDOWS_KUBELETS));

  test('the real kubelet.exe of the same source is put in place, and its service registered', async () => {
    const { site } = parts();
    const checks = ['--skip-check', site.waived.join(',')];
    const args = ['kube', 'prepare', ...releaseArgs(site, site.releases.broken), ...checks];
    const answer = await ask(site.machine, args);
    expect(answer, answer.said).toMatchObject({ exitCode: 0, outcome: 'applied' });
    const { stdout } = await site.machine.node.run(site.paths.kubelet, ['--version']);
    expect(stdout.trim()).toBe(`Kubernetes ${site.releases.next}`);
    expect(await registrationOf(site.machine, KUBELET_SERVICE)).toBeDefined();
    succeeded(await reset(site));
    expect(await leftOfWorker(site)).toEqual([]);
  });

  test('a join gets a client certificate that the cluster has signed, and a service that runs', async () => {
    const { cluster, site } = parts();
    const answer = await join(site);
    expect(answer, answer.said).toMatchObject({ exitCode: 0, outcome: 'applied' });
    const { node } = site.machine;
    const certificate = new X509Certificate(await readFile(node.hostPath(site.paths.clientCertificate), 'utf8'));
    expect(certificate.subject).toBe(`O=system:nodes\nCN=system:node:${node.name.toLowerCase()}`);
    expect(certificate.verify(new X509Certificate(await readFile(cluster.caFile)).publicKey)).toBe(true);
    expect(await registrationOf(site.machine, KUBELET_SERVICE)).toContain('kubelet');
    expect(await standingOf(site)).toEqual({ ready: 'False', version: site.releases.first });
  });

  test('a second join changes nothing and says so', async () => {
    const { site } = parts();
    const answer = await join(site);
    expect(answer, answer.said).toMatchObject({ exitCode: 0, outcome: 'unchanged' });
  });

  test('an upgrade brings the next version', async () => {
    const { site } = parts();
    const answer = await upgrade(site, site.releases.next);
    expect(answer, answer.said).toMatchObject({ exitCode: 0, outcome: 'applied' });
    expect(await standingOf(site)).toEqual({ ready: 'False', version: site.releases.next });
  });

  test('an upgrade to a kubelet that does not run is rolled back by itself', async () => {
    const { site } = parts();
    succeeded(await upgrade(site, site.releases.first));
    const answer = await upgrade(site, site.releases.broken, '--wait', '60s');
    expect(answer.outcome, answer.said).toBe('reverted');
    const standing = { ready: 'False', version: site.releases.first };
    await vi.waitFor(async () => expect(await standingOf(site)).toEqual(standing), PATIENCE);
  });

  test('a reset leaves nothing', async () => {
    const { site } = parts();
    succeeded(await reset(site));
    expect(await leftOfWorker(site)).toEqual([]);
  });
});

import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type JoinableCluster, startJoinableCluster } from '../beds/kubernetes/kubeadm-cluster.ts';
import { unlimited } from '../cloud/patience.ts';
import { succeeded } from '../lifecycle/answer.ts';
import { registrationOf } from '../machines/registration.ts';
import { reset } from '../worker/administrator.ts';
import { joinByFile } from '../worker/join-file.ts';
import { KUBELET_SERVICE, leftOfWorker } from '../worker/machine-state.ts';
import { REAL_WINDOWS_KUBELETS } from '../worker/site/supplies.ts';
import { startWindowsSite, type WindowsSite } from '../worker/site/windows-site.ts';

describe('a worker on Windows (Wine), with a real Kubernetes and the kubelet.exe of the same source', () => {
  let cluster: JoinableCluster;
  let site: WindowsSite;

  beforeAll(async () => {
    cluster = await startJoinableCluster(unlimited());
    site = await startWindowsSite(cluster, REAL_WINDOWS_KUBELETS);
  });
  afterAll(async () => site.stop());

  test('a join gets a client certificate that the cluster has signed, and a service that runs', async () => {
    const kubeletExtraArgs = [{ name: 'container-runtime-endpoint', value: site.runtimeEndpoint }];
    const answer = await joinByFile(site, { token: await cluster.makeToken(), wait: '2m', kubeletExtraArgs });
    expect(answer, answer.said).toMatchObject({ exitCode: 0, outcome: 'applied' });
    const { node } = site.machine;
    const pem = await readFile(node.hostPath(site.paths.clientCertificate), 'utf8');
    const certificate = new X509Certificate(pem);
    expect(certificate.subject).toBe(`O=system:nodes\nCN=system:node:${node.name.toLowerCase()}`);
    expect(certificate.verify(new X509Certificate(await readFile(cluster.caFile)).publicKey)).toBe(true);
    expect(await registrationOf(site.machine, KUBELET_SERVICE)).toContain('kubelet');
  });

  test('a reset leaves nothing', async () => {
    succeeded(await reset(site));
    expect(await leftOfWorker(site)).toEqual([]);
  });
});

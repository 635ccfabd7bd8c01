import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type Cluster, startCluster } from './cluster.ts';
import { certificateConfig, certificateRequest, signingRequest, tokenConfig } from './credentials.ts';
import { configMap, node, nodeLease, pod } from './manifests.ts';

const CLIENT_USAGES = ['client auth', 'digital signature'];
const NODE_SUBJECT = '/O=system:nodes/CN=system:node:edge-1';

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster(new AbortController().signal);
});
afterAll(async () => {
  expect(cluster.complaints).toEqual([]);
  await cluster.stop();
});

async function forbidden(kubeconfig: string, ...args: readonly string[]): Promise<string> {
  const { exitCode, stderr } = await cluster.kubectl(args, { kubeconfig });
  expect({ args, exitCode, stderr }).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('(Forbidden)') });
  return stderr;
}

async function allowed(kubeconfig: string, ...args: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await cluster.kubectl(args, { kubeconfig });
  expect({ args, exitCode, stderr }).toMatchObject({ exitCode: 0 });
  return stdout;
}

test('the administrator may do everything, and auth can-i says so', async () => {
  expect(await cluster.run('auth', 'can-i', '*', '*')).toBe('yes\n');
  expect(await cluster.run('auth', 'can-i', '--list')).toContain('*.*');
});

test('a token that no one knows is refused with 401', async () => {
  const kubeconfig = await tokenConfig(cluster, 'stranger', 'abcdef.0123456789abcdef');
  const refused = await cluster.kubectl(['get', 'pods'], { kubeconfig });
  expect(refused).toMatchObject({ exitCode: 1, stderr: 'error: You must be logged in to the server (Unauthorized)\n' });
});

test('a certificate of another CA is refused', async () => {
  const other = await startCluster(new AbortController().signal);
  const config = other.kubelite().adminKubeconfig.replace(/server: .*/, `server: ${cluster.kubelite().url}`);
  const ca = Buffer.from(cluster.kubelite().caCertificate).toString('base64');
  const kubeconfig = await cluster.manifest(
    'foreign.kubeconfig',
    config.replace(/certificate-authority-data: (?:\S+|>-?\n(?: {6,}\S+\n)+)/, `certificate-authority-data: ${ca}\n`),
  );
  await other.stop();
  const refused = await cluster.kubectl(['get', 'pods'], { kubeconfig });
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Unauthorized') });
});

test('cloudcore may serve its nodes and not decide about certificates', async () => {
  const kubeconfig = await cluster.manifest('cloudcore.kubeconfig', cluster.kubelite().cloudcoreKubeconfig);
  await allowed(kubeconfig, 'auth', 'can-i', 'update', 'nodes', '--subresource=status');
  await allowed(kubeconfig, 'auth', 'can-i', 'create', 'serviceaccounts', '--subresource=token');
  await allowed(kubeconfig, 'get', 'pods,configmaps,secrets', '-A');
  const denied = await cluster.kubectl(['auth', 'can-i', 'delete', 'namespaces'], { kubeconfig });
  expect(denied).toMatchObject({ exitCode: 1, stdout: 'no\n' });
  expect(await forbidden(kubeconfig, 'delete', 'namespace', 'kube-public')).toContain(
    'User "cloudcore" cannot delete resource "namespaces" in API group "" at the cluster scope',
  );
});

test('a service account token is a real one: known, without rights, and dead with its account', async () => {
  await cluster.run('create', 'serviceaccount', 'robot');
  const request = await cluster.manifest('token-request.json', {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { expirationSeconds: 600 },
  });
  const path = '/api/v1/namespaces/default/serviceaccounts/robot/token';
  const answer: unknown = JSON.parse(await cluster.run('create', '--raw', path, '-f', request));
  const { token } = z.object({ status: z.object({ token: z.string() }) }).parse(answer).status;
  const kubeconfig = await tokenConfig(cluster, 'robot', token);
  expect(await forbidden(kubeconfig, 'get', 'pods')).toContain(
    'User "system:serviceaccount:default:robot" cannot list resource "pods"',
  );
  await allowed(kubeconfig, 'version');
  await cluster.run('delete', 'serviceaccount', 'robot');
  expect((await cluster.kubectl(['get', 'pods'], { kubeconfig })).stderr).toContain('Unauthorized');
});

describe('a machine that becomes a node', () => {
  let bootstrap: string;
  let edge: string;

  beforeAll(async () => {
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'bootstrap-token-abc123', namespace: 'kube-system' },
      type: 'bootstrap.kubernetes.io/token',
      stringData: {
        'token-id': 'abc123',
        'token-secret': '0123456789abcdef',
        'usage-bootstrap-authentication': 'true',
        expiration: new Date(Date.now() + 3_600_000).toISOString(),
      },
    };
    await cluster.run('create', '-f', await cluster.manifest('bootstrap.json', secret));
    bootstrap = await tokenConfig(cluster, 'bootstrap', 'abc123.0123456789abcdef');
  });

  test('its bootstrap token may create and read its own request, and nothing else', async () => {
    const { request } = await certificateRequest(cluster, '/CN=someone');
    const foreign = signingRequest('of-admin', request, 'kube-apiserver-client-kubelet', CLIENT_USAGES);
    await cluster.run('create', '-f', await cluster.manifest('foreign.json', foreign));
    for (const resource of ['nodes', 'pods', 'secrets', 'csr']) await forbidden(bootstrap, 'get', resource);
    await forbidden(bootstrap, 'get', 'csr', 'of-admin');
    await forbidden(bootstrap, 'create', 'configmap', 'x');
  });

  test('its request is signed once an administrator has approved it', async () => {
    const { key, request } = await certificateRequest(cluster, NODE_SUBJECT);
    const csr = signingRequest('edge-1', request, 'kube-apiserver-client-kubelet', CLIENT_USAGES);
    await allowed(bootstrap, 'create', '-f', await cluster.manifest('csr.json', csr));
    await allowed(bootstrap, 'get', 'csr', 'edge-1');
    expect(await cluster.run('get', 'csr')).toMatch(/edge-1 .* system:bootstrap:abc123 .* Pending/);
    await forbidden(bootstrap, 'certificate', 'approve', 'edge-1');
    await cluster.run('certificate', 'approve', 'edge-1');
    await expect.poll(async () => cluster.run('get', 'csr', 'edge-1')).toContain('Approved,Issued');
    const issued = await cluster.run('get', 'csr', 'edge-1', '-o', 'jsonpath={.status.certificate}');
    edge = await certificateConfig(cluster, 'edge', Buffer.from(issued, 'base64').toString(), key);
    expect(await forbidden(edge, 'get', 'namespaces')).toContain('User "system:node:edge-1" cannot list');
  });

  test('a request for more than a node may have is approved without success, and a denied one stays denied', async () => {
    const { request } = await certificateRequest(cluster, '/O=system:masters/CN=system:node:evil');
    const csr = signingRequest('evil', request, 'kube-apiserver-client-kubelet', CLIENT_USAGES);
    await allowed(bootstrap, 'create', '-f', await cluster.manifest('evil.json', csr));
    await cluster.run('certificate', 'approve', 'evil');
    await expect.poll(async () => cluster.run('get', 'csr', 'evil')).toContain('Approved,Failed');
    await cluster.run('certificate', 'deny', 'of-admin');
    expect(await cluster.run('get', 'csr', 'of-admin')).toContain('Denied');
    expect((await cluster.kubectl(['certificate', 'approve', 'of-admin'])).exitCode).toBe(1);
  });

  test('as a node it registers itself and reports, and no one else', async () => {
    await allowed(edge, 'create', '--validate=false', '-f', await cluster.manifest('own-node.json', node('edge-1')));
    await forbidden(
      edge,
      'create',
      '--validate=false',
      '-f',
      await cluster.manifest('other-node.json', node('edge-2')),
    );
    await cluster.run('create', '--validate=false', '-f', await cluster.manifest('other-node.json', node('edge-2')));
    await allowed(edge, 'get', 'node', 'edge-1');
    await allowed(edge, 'label', 'node', 'edge-1', 'rack=r1');
    expect(await forbidden(edge, 'label', 'node', 'edge-2', 'rack=r1')).toContain('its own Node object');
    await forbidden(edge, 'label', 'node', 'edge-1', 'node-restriction.kubernetes.io/zone=a');
    await forbidden(edge, 'taint', 'node', 'edge-1', 'a=b:NoSchedule');
    await forbidden(edge, 'delete', 'node', 'edge-1');
  });

  test('as a node it keeps its own lease', async () => {
    await allowed(edge, 'create', '-f', await cluster.manifest('lease.json', nodeLease('edge-1')));
    await forbidden(edge, 'create', '-f', await cluster.manifest('lease.json', nodeLease('edge-2')));
    await allowed(edge, 'get', 'lease', 'edge-1', '-n', 'kube-node-lease');
    await forbidden(edge, 'get', 'lease', 'edge-2', '-n', 'kube-node-lease');
  });

  test('as a node it sees its own pods and what they refer to', async () => {
    await cluster.run('create', 'secret', 'generic', 'unrelated', '--from-literal=a=b');
    await cluster.run('create', '-f', await cluster.manifest('settings.json', configMap('settings', { a: '1' })));
    await forbidden(edge, 'get', 'configmap', 'settings');
    await cluster.run('create', '-f', await cluster.manifest('mine.json', pod('mine', { nodeName: 'edge-1' })));
    await cluster.run('create', '-f', await cluster.manifest('theirs.json', pod('theirs', { nodeName: 'edge-2' })));
    await allowed(edge, 'get', 'configmap', 'settings');
    await forbidden(edge, 'get', 'secret', 'unrelated');
    await forbidden(edge, 'get', 'configmaps');
    expect(await allowed(edge, 'get', 'pods', '-A', '--field-selector=spec.nodeName=edge-1', '-o', 'name')).toBe(
      'pod/mine\n',
    );
    await forbidden(edge, 'get', 'pods', '-A', '--field-selector=spec.nodeName=edge-2');
    await forbidden(edge, 'get', 'pods', '-A');
    await forbidden(edge, 'get', 'pod', 'theirs');
    await forbidden(edge, 'delete', 'pod', 'theirs');
    await allowed(edge, 'delete', 'pod', 'mine', '--grace-period=0', '--force');
  });

  test('as a node it renews its own certificate without anyone, and gets no other', async () => {
    const own = await certificateRequest(cluster, NODE_SUBJECT);
    const renewal = signingRequest('renewal', own.request, 'kube-apiserver-client-kubelet', CLIENT_USAGES);
    await allowed(edge, 'create', '-f', await cluster.manifest('renewal.json', renewal));
    await expect.poll(async () => cluster.run('get', 'csr', 'renewal')).toContain('Approved,Issued');
    const other = await certificateRequest(cluster, '/O=system:nodes/CN=system:node:edge-2');
    const theft = signingRequest('theft', other.request, 'kube-apiserver-client-kubelet', CLIENT_USAGES);
    await allowed(edge, 'create', '-f', await cluster.manifest('theft.json', theft));
    await cluster.run('certificate', 'approve', 'theft');
    await expect.poll(async () => cluster.run('get', 'csr', 'theft')).toContain('Failed');
  });

  test('as a node it gets a serving certificate for its own names', async () => {
    const { request } = await certificateRequest(cluster, NODE_SUBJECT, 'DNS:edge-1,IP:10.1.2.3');
    const csr = signingRequest('serving', request, 'kubelet-serving', ['digital signature', 'server auth']);
    await allowed(edge, 'create', '-f', await cluster.manifest('serving.json', csr));
    await cluster.run('certificate', 'approve', 'serving');
    await expect.poll(async () => cluster.run('get', 'csr', 'serving')).toContain('Approved,Issued');
  });
});

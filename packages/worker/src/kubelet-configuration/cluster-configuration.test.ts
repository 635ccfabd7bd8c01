import { expect, test } from 'vitest';
import { parseClusterConfiguration } from './cluster-configuration.ts';

test("a cluster that says little has kubeadm's defaults", () => {
  expect(
    parseClusterConfiguration('apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\nnetworking: {}\n'),
  ).toEqual({
    kubernetesVersion: '',
    clusterName: 'kubernetes',
    certificatesDir: '/etc/kubernetes/pki',
    imageRepository: 'registry.k8s.io',
    serviceSubnet: '10.96.0.0/12',
    podSubnet: '',
    dnsDomain: 'cluster.local',
    featureGates: {},
  });
});

test('a cluster of an old version says more than a worker wants to know', () => {
  const text =
    'apiServer: {timeoutForControlPlane: 4m0s}\napiVersion: kubeadm.k8s.io/v1beta2\nkind: ClusterConfiguration\n' +
    'clusterName: shop\nkubernetesVersion: v1.20.2\ndns: {type: CoreDNS}\nnetworking: {podSubnet: 10.1.0.0/16}\n';
  expect(parseClusterConfiguration(text)).toMatchObject({
    clusterName: 'shop',
    kubernetesVersion: 'v1.20.2',
    podSubnet: '10.1.0.0/16',
  });
});

test.each(['', 'a: [', 'kind: ClusterConfiguration', 'apiVersion: kubeadm.k8s.io/v1\nkind: Other'])(
  '%j is not a configuration of a cluster',
  (text) => {
    expect(() => parseClusterConfiguration(text)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
  },
);

import { parseClusterConfiguration } from '../kubelet-configuration/cluster-configuration.ts';
import { parseFlagsEnv } from '../kubelet-flags/flags-env.ts';
import { parse } from 'yaml';
import { expect, test } from 'vitest';
import { testWorkerLayout as layout } from '../testing/test-worker.ts';
import { flagsText, kubeletConfiguration, readKubeletConfiguration, type KubeletSource } from './kubelet-settings.ts';

const cluster = parseClusterConfiguration(
  'apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\nkubernetesVersion: v1.33.1\n',
);
const clusterText = 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n';
const source: KubeletSource = {
  layout,
  os: 'linux',
  drive: undefined,
  cluster,
  text: clusterText,
  version: 'v1.33.1',
  criSocket: 'unix:///run/containerd/containerd.sock',
  patches: [],
  resolver: undefined,
  hasFile: () => false,
};
const worker = {
  version: 'v1.33.1',
  cluster,
  os: 'linux',
  criSocket: source.criSocket,
  nodeName: 'worker-1',
  hostName: 'Worker-1',
  taints: [],
  extraArgs: [],
} as const;

test('the kubelet looks for the CA where a join puts it', () => {
  const elsewhere = { ...cluster, certificatesDir: '/srv/pki' };
  const { clientCaFile, text } = kubeletConfiguration({ ...source, cluster: elsewhere });
  expect(clientCaFile).toBe(layout.caFile);
  expect(parse(text)).toMatchObject({ authentication: { x509: { clientCAFile: layout.caFile } } });
});

test('a CA that the operator has put elsewhere is honoured', () => {
  const elsewhere = { ...cluster, certificatesDir: '/srv/pki' };
  const { clientCaFile } = kubeletConfiguration({ ...source, cluster: elsewhere, hasFile: () => true });
  expect(clientCaFile).toBe('/srv/pki/ca.crt');
});

test('trap 8: a name that differs from the host’s in case alone is the host’s, another is passed to the kubelet', () => {
  expect(flagsText(worker)).not.toContain('hostname-override');
  expect(parseFlagsEnv(flagsText({ ...worker, nodeName: 'other' }))).toContain('--hostname-override=other');
  const extraArgs = [{ name: 'hostname-override', value: 'mine' }];
  const both = parseFlagsEnv(flagsText({ ...worker, nodeName: 'mine', extraArgs }));
  expect(both.filter((flag) => flag.startsWith('--hostname-override'))).toEqual(['--hostname-override=mine']);
});

test('what keadm has to know is read from a configuration, with the kubelet’s own defaults', () => {
  expect(readKubeletConfiguration(clusterText)).toEqual({
    swapTolerated: false,
    healthz: { address: '127.0.0.1', port: 10_248 },
  });
  expect(readKubeletConfiguration('failSwapOn: false\nhealthzPort: 0\n')).toMatchObject({
    swapTolerated: true,
    healthz: { port: 0 },
  });
  expect(readKubeletConfiguration(': :')).toBeUndefined();
});

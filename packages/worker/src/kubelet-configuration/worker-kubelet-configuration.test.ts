import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { dnsAddress, parseClusterConfiguration } from './cluster-configuration.ts';
import { readPatches } from '@fenestra/contracts/kube';
import {
  type KubeletConfigurationSource,
  readInstanceConfig,
  workerKubeletConfiguration,
  type WorkerKubeletConfiguration,
} from './worker-kubelet-configuration.ts';

const HEAD = 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n';
const SOCKET = {
  linux: 'unix:///var/run/containerd/containerd.sock',
  windows: 'npipe:////./pipe/containerd-containerd',
};
const cluster = parseClusterConfiguration('apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\n');

function configure(text: string, source: Partial<KubeletConfigurationSource> = {}): WorkerKubeletConfiguration {
  const os = source.os ?? 'windows';
  return workerKubeletConfiguration({
    text: `${HEAD}${text}`,
    os,
    drive: 'C:',
    cluster,
    version: '1.33.0',
    criSocket: SOCKET[os],
    ...source,
  });
}

const valuesOf = ({ text }: WorkerKubeletConfiguration): unknown => parse(text);

test('an empty configuration is filled up as kubeadm does', () => {
  const configuration = configure('', { os: 'linux' });
  expect(valuesOf(configuration)).toEqual({
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    staticPodPath: '/etc/kubernetes/manifests',
    clusterDNS: ['10.96.0.10'],
    clusterDomain: 'cluster.local',
    authentication: {
      x509: { clientCAFile: '/etc/kubernetes/pki/ca.crt' },
      anonymous: { enabled: false },
      webhook: { enabled: true },
    },
    authorization: { mode: 'Webhook' },
    healthzBindAddress: '127.0.0.1',
    healthzPort: 10_248,
    cgroupDriver: 'systemd',
    rotateCertificates: true,
  });
  expect(configuration).toMatchObject({
    warnings: [],
    instanceConfig: undefined,
    healthz: { address: '127.0.0.1', port: 10_248 },
    clientCaFile: '/etc/kubernetes/pki/ca.crt',
    staticPodPath: '/etc/kubernetes/manifests',
  });
});

test('what the cluster says stays, with a warning where kubeadm would say otherwise', () => {
  const text = 'clusterDNS: [10.0.0.10]\nhealthzPort: 0\nrotateCertificates: false\nhealthzBindAddress: 0.0.0.0\n';
  const configuration = configure(text, { os: 'linux' });
  expect(valuesOf(configuration)).toMatchObject({ clusterDNS: ['10.0.0.10'], rotateCertificates: true });
  expect(configuration.healthz).toEqual({ address: '127.0.0.1', port: 0 });
  expect(configuration.warnings).toEqual([
    '"clusterDNS" is not what kubeadm would set: ["10.96.0.10"]',
    '"healthzBindAddress" is not what kubeadm would set: "127.0.0.1"',
    '"healthzPort" is not what kubeadm would set: 10248',
    '"rotateCertificates" was set to true, as a worker needs it',
  ]);
});

test('on Windows resolvConf is there and empty, whatever the cluster says', () => {
  const configuration = configure('resolvConf: /run/systemd/resolve/resolv.conf\n');
  expect(valuesOf(configuration)).toMatchObject({ resolvConf: '' });
  expect(configuration.text).toMatch(/^resolvConf: ""$/m);
  expect(configure('').text).toMatch(/^resolvConf: ""$/m);
});

test("on Linux resolvConf is systemd's only where nothing is said", () => {
  const resolver = '/run/systemd/resolve/resolv.conf';
  expect(valuesOf(configure('', { os: 'linux', resolver }))).toMatchObject({ resolvConf: resolver });
  expect(valuesOf(configure('resolvConf: /x\n', { os: 'linux', resolver }))).toMatchObject({ resolvConf: '/x' });
});

test('on Windows every path is on the one drive that is named', () => {
  const text =
    'volumePluginDir: /usr/libexec/volume\npodLogsDir: /var/log//pods\n' +
    'tlsCertFile: \\etc\\tls.crt\ntlsPrivateKeyFile: E:\\tls.key\n';
  const configuration = configure(text, { drive: 'D:' });
  expect(valuesOf(configuration)).toMatchObject({
    staticPodPath: 'D:\\etc\\kubernetes\\manifests',
    authentication: { x509: { clientCAFile: 'D:\\etc\\kubernetes\\pki\\ca.crt' } },
    volumePluginDir: 'D:\\usr\\libexec\\volume',
    podLogsDir: 'D:\\var\\log\\pods',
    tlsCertFile: 'D:\\etc\\tls.crt',
    tlsPrivateKeyFile: 'E:\\tls.key',
  });
  expect(configuration).toMatchObject({
    clientCaFile: 'D:\\etc\\kubernetes\\pki\\ca.crt',
    staticPodPath: 'D:\\etc\\kubernetes\\manifests',
  });
});

test('on Windows fields that only Linux has are taken out, with a warning each, even when they are off', () => {
  const text = 'singleProcessOOMKill: false\nuserNamespaces: {idsPerPod: 65536}\nmaxPods: 20\n';
  const configuration = configure(text);
  expect(valuesOf(configuration)).toMatchObject({ maxPods: 20 });
  expect(configuration.text).not.toMatch(/singleProcessOOMKill|userNamespaces/);
  expect(configuration.warnings).toEqual([
    '"singleProcessOOMKill" was taken out: a kubelet on Windows does not start with it',
    '"userNamespaces" was taken out: a kubelet on Windows does not start with it',
  ]);
  expect(configure(text, { os: 'linux' }).text).toContain('singleProcessOOMKill: false');
});

test('a patch does not bring back what stops a Windows kubelet', () => {
  const { patches } = readPatches([{ name: 'kubeletconfiguration.yaml', text: 'userNamespaces: {}\nmaxPods: 5\n' }]);
  const configuration = configure('', { patches });
  expect(valuesOf(configuration)).toMatchObject({ maxPods: 5 });
  expect(configuration.text).not.toContain('userNamespaces');
  expect(configuration.warnings).toHaveLength(1);
});

test('what is about control groups is taken out only for the Windows kubelets that refuse it', () => {
  const text = 'cgroupsPerQOS: true\nenforceNodeAllocatable: [pods]\n';
  expect(configure(text, { version: '1.29.0' }).text).not.toMatch(/cgroupsPerQOS|enforceNodeAllocatable/);
  expect(configure(text, { version: '1.30.0' }).text).toMatch(/cgroupsPerQOS: true/);
  const off = configure('cgroupsPerQOS: false\nenforceNodeAllocatable: []\n', { version: '1.29.0' });
  expect(off).toMatchObject({ warnings: [], text: expect.stringContaining('cgroupsPerQOS: false') });
});

test('the runtime of another system is taken out', () => {
  const configuration = configure('containerRuntimeEndpoint: unix:///run/containerd.sock\n');
  expect(configuration.text).not.toContain('unix:');
  expect(configuration.warnings).toEqual([
    '"containerRuntimeEndpoint" was taken out: it names a container runtime of another system',
  ]);
});

test('fields of versions to come stay as they are, and texts that look like something else stay texts', () => {
  const text =
    'newField: {deep: [1, "0755", "yes", null]}\nstreamingConnectionIdleTimeout: 0s\nfeatureGates: {New: true}\n';
  expect(valuesOf(configure(`# a remark\n${text}`))).toMatchObject({
    newField: { deep: [1, '0755', 'yes', null] },
    streamingConnectionIdleTimeout: '0s',
    featureGates: { New: true },
  });
  expect(configure(text).text).toContain('"yes"');
  expect(configure(`# a remark\n${text}`).text).not.toContain('remark');
});

test('where the version keeps the runtime in a file, the file and the configuration name it, after all patches', () => {
  const { patches } = readPatches([
    { name: 'kubeletconfiguration.yaml', text: 'containerRuntimeEndpoint: npipe:////./pipe/x' },
  ]);
  const configuration = configure('', { version: '1.34.0', patches });
  expect(valuesOf(configuration)).toMatchObject({ containerRuntimeEndpoint: SOCKET.windows });
  expect(configuration.instanceConfig).toBe(`containerRuntimeEndpoint: ${SOCKET.windows}\n`);
  expect(readInstanceConfig(configuration.instanceConfig ?? '')).toBe(SOCKET.windows);
  expect(configure('', { version: '1.33.0' }).instanceConfig).toBeUndefined();
});

test('the control groups of a cluster before 1.22 stay those of its kubelets', () => {
  expect(configure('', { os: 'linux', version: '1.20.2' }).text).not.toContain('cgroupDriver');
});

test.each([
  ['10.96.0.0/12', '10.96.0.10'],
  ['10.43.7.9/16,fd00::/108', '10.43.0.10'],
  ['fd00:10:96::/112', 'fd00:10:96::a'],
  ['2001:db8:0:1::ff00/120', '2001:db8:0:1::ff0a'],
  ['10.0.0.0/29', undefined],
  ['nonsense', undefined],
  ['10.0.0.0', undefined],
])('DNS of the services in %s is at %s', (subnet, address) => {
  expect(dnsAddress(subnet)).toBe(address);
});

test.each([
  ['', 'it is not a YAML mapping'],
  ['a: [', 'it is not a YAML mapping'],
  ['kind: Other', 'its "kind" must be "KubeletConfiguration"'],
  ['kind: KubeletConfiguration\napiVersion: v1', 'its "apiVersion" must begin with "kubelet.config.k8s.io/"'],
  [`${HEAD}healthzPort: many`, '"healthzPort" is not as expected'],
  [`${HEAD}authentication: {x509: {clientCAFile: 7}}`, '"authentication.x509.clientCAFile" is not as expected'],
])('%j is refused', (text, reason) => {
  expect(() => configure('', { text })).toThrow(
    expect.objectContaining({ code: 'CONFIG_INVALID', message: `Cannot use the kubelet's configuration: ${reason}` }),
  );
});

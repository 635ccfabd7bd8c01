import { expect, test } from 'vitest';
import { baseKubeletArgs, flagsForVersion, kubeadmArgs, recordedCriSocket } from './kubeadm-args.ts';
import { kubeletCommandLine } from './kubelet-command-line.ts';
import type { NodeOs } from '@fenestra/contracts';
import type { Taint } from '@fenestra/contracts/kube';

const SOCKET = 'npipe:////./pipe/containerd-containerd';
const ENDPOINT = `--container-runtime-endpoint=${SOCKET}`;

const worker = {
  os: 'windows' as const,
  nodeName: 'win-1',
  hostName: 'WIN-1',
  taints: [],
  imageRepository: 'registry.k8s.io',
};

test.each([
  ['1.20.2', ['--container-runtime=remote', ENDPOINT, '--pod-infra-container-image=registry.k8s.io/pause:3.2']],
  ['1.26.0', [ENDPOINT, '--pod-infra-container-image=registry.k8s.io/pause:3.9']],
  ['1.33.13', [ENDPOINT, '--pod-infra-container-image=registry.k8s.io/pause:3.10']],
  ['1.34.0', ['--pod-infra-container-image=registry.k8s.io/pause:3.10.1']],
  ['1.35.0', []],
  ['1.37.0-rc.1', []],
])('kubeadm %s gives a worker these arguments', (version, args) => {
  expect(kubeadmArgs(baseKubeletArgs({ ...worker, version }), [])).toEqual(args);
});

test('a cluster may switch the place of the endpoint itself until it is settled', () => {
  expect(gatedArgs('1.33.0', true)).not.toContain(ENDPOINT);
  expect(gatedArgs('1.35.0', false)).toContain(ENDPOINT);
  expect(gatedArgs('1.36.0', false)).not.toContain(ENDPOINT);
});

function gatedArgs(version: string, gate: boolean): readonly string[] {
  return kubeadmArgs(baseKubeletArgs({ ...worker, version, featureGates: { NodeLocalCRISocket: gate } }), []);
}

test("an operator's argument replaces kubeadm's of the same name, and the order of both stays", () => {
  const base = [
    { name: 'pod-infra-container-image', value: 'p' },
    { name: 'container-runtime-endpoint', value: 'e' },
  ];
  const extra = [
    { name: 'v', value: '4' },
    { name: 'container-runtime-endpoint', value: 'mine' },
    { name: 'node-labels', value: 'a=b' },
    { name: 'v', value: '5' },
  ];
  expect(kubeadmArgs(base, extra)).toEqual([
    '--pod-infra-container-image=p',
    '--v=4',
    '--container-runtime-endpoint=mine',
    '--node-labels=a=b',
    '--v=5',
  ]);
});

const UNINITIALIZED: Taint = { key: 'node.cluster.x-k8s.io/uninitialized', effect: 'NoSchedule' };

test('a taint of the registration is not lost to register-with-taints as an extra argument', () => {
  const base = baseKubeletArgs({ ...worker, version: '1.35.0', taints: [UNINITIALIZED] });
  const extra = { name: 'register-with-taints', value: 'os=windows:NoSchedule' };
  expect(kubeadmArgs(base, [])).toEqual(['--register-with-taints=node.cluster.x-k8s.io/uninitialized:NoSchedule']);
  expect(kubeadmArgs(base, [extra])).toEqual([
    '--register-with-taints=os=windows:NoSchedule,node.cluster.x-k8s.io/uninitialized:NoSchedule',
  ]);
});

test("of two taints with one key and effect the operator's counts", () => {
  const base = baseKubeletArgs({
    ...worker,
    version: '1.35.0',
    taints: [{ key: 'a', value: '1', effect: 'NoSchedule' }],
  });
  const extra = { name: 'register-with-taints', value: 'a=2:NoSchedule' };
  expect(kubeadmArgs(base, [extra])).toEqual(['--register-with-taints=a=2:NoSchedule']);
});

test("the name is said to the kubelet only where it is not the machine's own, whatever the case", () => {
  const other = { ...worker, version: '1.35.0', nodeName: 'edge-7' };
  expect(baseKubeletArgs({ ...other, nodeName: 'win-1' })).toEqual([]);
  expect(baseKubeletArgs(other)).toEqual([{ name: 'hostname-override', value: 'edge-7' }]);
});

const layout = {
  kubeletConfig: 'C:\\var\\lib\\kubelet\\config.yaml',
  kubeconfig: 'C:\\etc\\kubernetes\\kubelet.conf',
  bootstrapKubeconfig: 'C:\\etc\\kubernetes\\bootstrap-kubelet.conf',
  certificatesFolder: 'C:\\var\\lib\\kubelet\\pki',
};

const FILES = [
  `--bootstrap-kubeconfig=${layout.bootstrapKubeconfig}`,
  `--kubeconfig=${layout.kubeconfig}`,
  `--config=${layout.kubeletConfig}`,
  `--cert-dir=${layout.certificatesFolder}`,
];
const CGROUPS = ['--cgroups-per-qos=false', '--enforce-node-allocatable='];
const REMOTE = ['--container-runtime=remote', ENDPOINT];

const commandLine = (os: NodeOs, version: string, ...flags: string[]): readonly string[] =>
  kubeletCommandLine({ layout, os, version, flags });

test.each([
  ['1.20.2', [...REMOTE, '--resolv-conf=', ...CGROUPS]],
  ['1.23.17', [...REMOTE, '--resolv-conf=', ...CGROUPS]],
  ['1.24.0', ['--resolv-conf=', ...CGROUPS]],
  ['1.29.9', ['--resolv-conf=', ...CGROUPS]],
  ['1.30.0', ['--resolv-conf=']],
  ['1.37.0', ['--resolv-conf=']],
])('a Windows kubelet %s gets what its version needs', (version, args) => {
  expect(commandLine('windows', version)).toEqual([...FILES, ...args]);
});

test.each([
  ['1.20.2', ['--container-runtime=remote', '--container-runtime-endpoint=unix:///var/run/containerd/containerd.sock']],
  ['1.33.0', []],
])('a Linux kubelet %s gets only where its files are, and of its runtime', (version, args) => {
  expect(commandLine('linux', version)).toEqual([...FILES, ...args]);
});

test('what kubeadm-flags.env says goes before what the service would say', () => {
  const flags = ['--container-runtime=remote', '--container-runtime-endpoint=npipe:////./pipe/x', '--cert-dir=D:\\pki'];
  expect(commandLine('windows', '1.20.2', ...flags)).toEqual([
    ...FILES.slice(0, 3),
    '--resolv-conf=',
    ...CGROUPS,
    ...flags,
  ]);
});

test('hostname-override of kubeadm-flags.env goes before the name of the service, in lower case', () => {
  const start = { layout, os: 'windows', version: '1.33.0', nodeName: 'win-1' } as const;
  expect(kubeletCommandLine({ ...start, flags: ['--hostname-override=Edge-7'] }).slice(4)).toEqual([
    '--resolv-conf=',
    '--hostname-override=edge-7',
  ]);
  expect(kubeletCommandLine({ ...start, flags: [] }).slice(4)).toEqual(['--hostname-override=win-1', '--resolv-conf=']);
});

test.each([
  ['1.23.0', '--network-plugin=cni', true],
  ['1.24.0', '--network-plugin=cni', false],
  ['1.25.0', '--log-dir=C:\\logs', true],
  ['1.26.0', '--log-dir=C:\\logs', false],
  ['1.26.0', '--container-runtime=remote', true],
  ['1.27.0', '--container-runtime=remote', false],
  ['1.34.0', '--pod-infra-container-image=pause', true],
  ['1.35.0', '--pod-infra-container-image=pause', false],
  ['1.37.0', '--constructor=1', true],
  ['1.37.0', '--windows-service', false],
])('kubelet %s with %s in its flags: %s', (version, flag, isPassed) => {
  expect(commandLine('windows', version, flag).includes(flag)).toBe(isPassed);
});

test('who has Docker among the flags of an old kubelet keeps it', () => {
  expect(commandLine('linux', '1.20.2', '--network-plugin=cni')).toEqual([...FILES, '--network-plugin=cni']);
});

test('the runtime of a worker is found without its annotation, without its instance-config, and by the flag first', () => {
  const instanceConfig = 'containerRuntimeEndpoint: "npipe:////./pipe/file"\n';
  const annotations = { 'kubeadm.alpha.kubernetes.io/cri-socket': 'npipe:////./pipe/annotation' };
  expect(recordedCriSocket({ flags: [], instanceConfig })).toBe('npipe:////./pipe/file');
  expect(recordedCriSocket({ flags: [], annotations })).toBe('npipe:////./pipe/annotation');
  expect(recordedCriSocket({ flags: [ENDPOINT], instanceConfig, annotations })).toBe(SOCKET);
  expect(recordedCriSocket({ flags: [], instanceConfig: 'a: [', annotations: {} })).toBeUndefined();
});

const target = (version: string) => ({ version, criSocket: SOCKET });

test('an upgrade takes the endpoint out of the flags where the version has a file for it, and a way back puts it in', () => {
  const old = [ENDPOINT, '--pod-infra-container-image=pause', '--v=4'];
  expect(flagsForVersion(old, target('1.33.0'))).toEqual(old);
  expect(flagsForVersion(old, target('1.34.0'))).toEqual(['--pod-infra-container-image=pause', '--v=4']);
  expect(flagsForVersion(old, target('1.35.0'))).toEqual(['--v=4']);
  expect(flagsForVersion(['--v=4'], target('1.33.0'))).toEqual([ENDPOINT, '--v=4']);
  expect(flagsForVersion(['--v=4'], target('1.20.0'))).toEqual([...REMOTE, '--v=4']);
});

import type { JsonObject } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import { samplePod } from '../testing/sample-pods.ts';
import { containerConfig, type ContainerConfig, type ContainerFacts } from './container-config.ts';
import { sandboxConfig, type SandboxFacts } from './sandbox-config.ts';

const sandboxFacts: SandboxFacts = {
  os: 'linux',
  attempt: 2,
  logDirectory: '/var/log/pods/shop_web_uid-1',
  clusterDomain: 'cluster.local',
  dns: { servers: ['10.96.0.10'], searches: [], options: [] },
  cgroupParent: '/kubepods/besteffort/poduid-1',
};

const facts: ContainerFacts = {
  os: 'linux',
  attempt: 1,
  imageRef: 'sha256:1234',
  environment: { variables: [{ key: 'A', value: Buffer.from('b') }], missing: [], skipped: [] },
  mounts: [
    {
      volume: 'data',
      index: 0,
      containerPath: '/data',
      readonly: true,
      recursiveReadOnly: false,
      propagation: 0,
      hostPath: '/pods/uid-1/volumes/kubernetes.io~empty-dir/data',
    },
  ],
  terminationFile: '/pods/uid-1/containers/main/12345678',
  hostsFile: '/pods/uid-1/etc-hosts',
  selinuxRelabel: false,
  machine: {
    cpuCount: 4,
    memoryBytes: 2 ** 33,
    cgroupVersion: 1,
    countsSwap: false,
    cpuQuota: true,
    singleProcessOomKill: true,
    hugePageSizes: [],
  },
  seccompFolder: '/seccomp',
  seccompDefault: false,
  imageUser: {},
};

function configOf(
  container: JsonObject,
  changes: Partial<ContainerFacts> = {},
  spec: JsonObject = {},
): ContainerConfig {
  const pod = samplePod({ containers: [{ name: 'main', image: 'web:1', ...container }], ...spec });
  const [main] = pod.spec.containers;
  if (main === undefined) throw new Error('no container');
  return containerConfig(pod, main, { ...facts, ...changes });
}

test('the configuration of a sandbox', () => {
  const pod = samplePod(
    { securityContext: { sysctls: [{ name: 'net.ipv4.tcp_syncookies', value: '1' }] } },
    { labels: { app: 'web' } },
  );
  expect(sandboxConfig(pod, sandboxFacts)).toMatchObject({
    metadata: { name: 'web', uid: 'uid-1', namespace: 'shop', attempt: 2 },
    hostname: 'web',
    logDirectory: '/var/log/pods/shop_web_uid-1',
    labels: { app: 'web', 'io.kubernetes.pod.uid': 'uid-1' },
    linux: { cgroupParent: '/kubepods/besteffort/poduid-1', sysctls: { 'net.ipv4.tcp_syncookies': '1' } },
  });
  expect(sandboxConfig(pod, sandboxFacts)).not.toHaveProperty('windows');
});

test('a sandbox on Windows says whether its processes are of the host', () => {
  const securityContext = { windowsOptions: { hostProcess: true } };
  const pod = samplePod({ securityContext, hostNetwork: true });
  expect(sandboxConfig(pod, { ...sandboxFacts, os: 'windows' }).windows).toEqual({
    securityContext: { runAsUsername: '', credentialSpec: '', hostProcess: true, namespaceOptions: { network: 2 } },
  });
});

test('the configuration of a container', () => {
  const config = configOf({ command: ['run', '$(A)'], workingDir: '/w', tty: true });
  expect(config).toMatchObject({
    metadata: { name: 'main', attempt: 1 },
    image: { image: 'sha256:1234', userSpecifiedImage: 'web:1' },
    command: ['run', 'b'],
    args: [],
    workingDir: '/w',
    logPath: 'main/1.log',
    tty: true,
    stdin: false,
    linux: { resources: { cpuShares: 2n }, securityContext: { privileged: false } },
  });
  expect(config.mounts.map(({ containerPath }) => containerPath)).toEqual([
    '/data',
    '/etc/hosts',
    '/dev/termination-log',
  ]);
  expect(config).not.toHaveProperty('windows');
});

test('a mount of the pod at the place of the file of hosts wins', () => {
  const [mount] = facts.mounts;
  if (mount === undefined) throw new Error('no mount');
  const own = { ...mount, containerPath: '/etc/hosts' };
  expect(
    configOf({}, { mounts: [own] }).mounts.filter(({ containerPath }) => containerPath === '/etc/hosts'),
  ).toMatchObject([{ hostPath: mount.hostPath }]);
});

test('a container on Windows has the limits and paths of Windows', () => {
  const config = configOf({ resources: { limits: { cpu: '1' } } }, { os: 'windows' });
  expect(config.windows).toEqual({
    resources: { cpuMaximum: 2500n, memoryLimitInBytes: 0n },
    securityContext: { runAsUsername: '', credentialSpec: '', hostProcess: false },
  });
  expect(config).not.toHaveProperty('linux');
  expect(config.mounts.map(({ containerPath }) => containerPath)).toEqual([
    '/data',
    'C:\\Windows\\System32\\drivers\\etc\\hosts',
    'c:/dev/termination-log',
  ]);
  const hostProcess = { securityContext: { windowsOptions: { hostProcess: true } } };
  expect(configOf({}, { os: 'windows' }, hostProcess).mounts.map(({ hostPath }) => hostPath)).not.toContain(
    facts.hostsFile,
  );
});

import { contentText, edgecoreDefaults } from '@fenestra/contracts';
import { expect, test } from 'vitest';
import { type ConditionInput, nodeConditions, withoutEdged } from './node-conditions.ts';
import type { Machine } from './machine.ts';
import { nodeMessage, patchNode } from './node-messages.ts';
import { nodeObject, nodeStatus, saysTheSame, statusPatch } from './node-status.ts';
import { type NodeSettings, nodeSettings } from './node-settings.ts';
import { LINUX_MACHINE, WINDOWS_MACHINE } from './testing/machines.ts';

const NOW = new Date('2026-01-02T03:04:05.678Z');

test('the registration of a Linux node without a runtime is what a kubelet would send, and honest', () => {
  const settings = settingsFor('linux');
  const status = nodeStatus(statusInput(LINUX_MACHINE, settings));
  const { route, content } = nodeMessage('insert', 'edge-1', nodeObject(settings, LINUX_MACHINE.facts, status));
  expect({ route, content }).toMatchInlineSnapshot(`
    {
      "content": {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
          "labels": {
            "beta.kubernetes.io/arch": "amd64",
            "beta.kubernetes.io/os": "linux",
            "kubernetes.io/arch": "amd64",
            "kubernetes.io/hostname": "edge-1",
            "kubernetes.io/os": "linux",
            "node-role.kubernetes.io/agent": "",
            "node-role.kubernetes.io/edge": "",
          },
          "name": "edge-1",
        },
        "spec": {},
        "status": {
          "addresses": [
            {
              "address": "192.0.2.10",
              "type": "InternalIP",
            },
            {
              "address": "edge-1",
              "type": "Hostname",
            },
          ],
          "allocatable": {
            "cpu": "4",
            "ephemeral-storage": "96636764160",
            "memory": "8286208Ki",
            "pods": "110",
          },
          "capacity": {
            "cpu": "4",
            "ephemeral-storage": "104857600Ki",
            "memory": "8388608Ki",
            "pods": "110",
          },
          "conditions": [
            {
              "lastHeartbeatTime": "2026-01-02T03:04:05Z",
              "lastTransitionTime": "2026-01-02T03:04:05Z",
              "message": "kubelet has sufficient memory available",
              "reason": "KubeletHasSufficientMemory",
              "status": "False",
              "type": "MemoryPressure",
            },
            {
              "lastHeartbeatTime": "2026-01-02T03:04:05Z",
              "lastTransitionTime": "2026-01-02T03:04:05Z",
              "message": "kubelet has no disk pressure",
              "reason": "KubeletHasNoDiskPressure",
              "status": "False",
              "type": "DiskPressure",
            },
            {
              "lastHeartbeatTime": "2026-01-02T03:04:05Z",
              "lastTransitionTime": "2026-01-02T03:04:05Z",
              "message": "kubelet has sufficient PID available",
              "reason": "KubeletHasSufficientPID",
              "status": "False",
              "type": "PIDPressure",
            },
            {
              "lastHeartbeatTime": "2026-01-02T03:04:05Z",
              "lastTransitionTime": "2026-01-02T03:04:05Z",
              "message": "the module that runs pods has not started yet",
              "reason": "EdgedStarting",
              "status": "False",
              "type": "Ready",
            },
          ],
          "daemonEndpoints": {
            "kubeletEndpoint": {
              "Port": 0,
            },
          },
          "images": [],
          "nodeInfo": {
            "architecture": "amd64",
            "bootID": "b0075eed-0000-4000-8000-000000000000",
            "containerRuntimeVersion": "unknown",
            "kernelVersion": "6.1.0-18-amd64",
            "kubeProxyVersion": "",
            "kubeletVersion": "v1.32.10-kubeedge-v0.1.0",
            "machineID": "",
            "operatingSystem": "linux",
            "osImage": "Debian GNU/Linux 12 (bookworm)",
            "systemUUID": "",
          },
        },
      },
      "route": {
        "group": "meta",
        "operation": "insert",
        "resource": "null/node/edge-1",
        "source": "edged",
      },
    }
  `);
});

test('the registration of a Windows node says so in labels and information', () => {
  const settings = {
    ...settingsFor('windows'),
    labels: { site: 'north', 'kubernetes.io/os': 'lie' },
    taints: [{ key: 'edge', value: 'true', effect: 'NoExecute' }],
    schedulable: false,
  };
  const status = nodeStatus(statusInput(WINDOWS_MACHINE, settings));
  const { metadata, spec } = nodeObject(settings, WINDOWS_MACHINE.facts, status);
  expect({ metadata, spec, nodeInfo: status.nodeInfo }).toMatchInlineSnapshot(`
    {
      "metadata": {
        "labels": {
          "beta.kubernetes.io/arch": "amd64",
          "beta.kubernetes.io/os": "windows",
          "kubernetes.io/arch": "amd64",
          "kubernetes.io/hostname": "edge-1",
          "kubernetes.io/os": "windows",
          "node-role.kubernetes.io/agent": "",
          "node-role.kubernetes.io/edge": "",
          "node.kubernetes.io/windows-build": "10.0.20348",
          "site": "north",
        },
        "name": "edge-1",
      },
      "nodeInfo": {
        "architecture": "amd64",
        "bootID": "b0075eed-0000-4000-8000-000000000000",
        "containerRuntimeVersion": "containerd://1.7.24",
        "kernelVersion": "10.0.20348",
        "kubeProxyVersion": "",
        "kubeletVersion": "v1.32.10-kubeedge-v0.1.0",
        "machineID": "",
        "operatingSystem": "windows",
        "osImage": "Windows Server 2022 Datacenter",
        "systemUUID": "",
      },
      "spec": {
        "taints": [
          {
            "effect": "NoExecute",
            "key": "edge",
            "value": "true",
          },
          {
            "effect": "NoSchedule",
            "key": "node.kubernetes.io/unschedulable",
          },
        ],
        "unschedulable": true,
      },
    }
  `);
});

test('a status goes up as the text of a patch with everything the first time', () => {
  const status = nodeStatus(statusInput(LINUX_MACHINE, settingsFor('linux')));
  const message = patchNode('edge-1', statusPatch(status, undefined));
  const { route } = message;
  expect(route).toEqual({ source: 'edged', group: 'meta', operation: 'patch', resource: 'null/nodepatch/edge-1' });
  expect(JSON.parse(contentText(message))).toEqual({
    status: { ...status, addresses: [...status.addresses, { $patch: 'replace' }] },
  });
});

test('later only what differs goes up, and what is gone is taken out', () => {
  const settings = settingsFor('linux');
  const before = nodeStatus(statusInput(LINUX_MACHINE, settings));
  const moved = nodeStatus(statusInput({ ...LINUX_MACHINE, address: '192.0.2.99' }, settings));
  expect(Object.keys(statusPatch(moved, before)['status'] ?? {})).toEqual(['addresses', 'conditions']);
  const withGpu = { ...before, capacity: { ...before.capacity, 'example.com/gpu': '1' } };
  expect(statusPatch(before, withGpu)).toMatchObject({ status: { capacity: { 'example.com/gpu': null } } });
});

test('a heartbeat alone is no news', () => {
  const settings = settingsFor('linux');
  const first = nodeStatus(statusInput(LINUX_MACHINE, settings));
  const input = statusInput(LINUX_MACHINE, settings);
  const later = nodeStatus({ ...input, previous: first.conditions, now: new Date(NOW.getTime() + 60_000) });
  expect(saysTheSame(first, later)).toBe(true);
  expect(first).not.toEqual(later);
});

test('reserved resources are not allocatable', () => {
  const settings = {
    ...settingsFor('linux'),
    reserved: [
      { cpu: '500m', memory: '1Gi' },
      { memory: '512Mi', 'ephemeral-storage': '1Gi' },
    ],
  };
  expect(nodeStatus(statusInput(LINUX_MACHINE, settings)).allocatable).toEqual({
    cpu: '3500m',
    'ephemeral-storage': String(90 * 2 ** 30 - 2 ** 30),
    memory: `${8 * 2 ** 20 - 100 * 1024 - 1536 * 1024}Ki`,
    pods: '110',
  });
});

test('what the node runs short of is a condition, in the words of a kubelet', () => {
  const edged = { ...withoutEdged(true), pressures: new Set(['DiskPressure', 'PIDPressure'] as const) };
  const conditions = nodeConditions({ ...statusInput(LINUX_MACHINE, settingsFor('linux')), edged });
  expect(conditions.map(({ type, status, reason }) => `${type} ${status} ${reason}`)).toEqual([
    'MemoryPressure False KubeletHasSufficientMemory',
    'DiskPressure True KubeletHasDiskPressure',
    'PIDPressure True KubeletHasInsufficientPID',
    'Ready False EdgedStarting',
  ]);
});

test.each([
  [0, []],
  [2, ['large:1', 'middle:1']],
  [Infinity, ['large:1', 'middle:1', 'small:1']],
])('with at most %d images, the status lists %j', (maxImages, names) => {
  const images = [
    { names: ['small:1'], sizeBytes: 1 },
    { names: ['large:1', 'b', 'c', 'd', 'e', 'f'], sizeBytes: 3 },
    { names: ['middle:1'], sizeBytes: 2 },
  ];
  const input = statusInput(LINUX_MACHINE, { ...settingsFor('linux'), maxImages });
  const listed = nodeStatus({ ...input, edged: { ...withoutEdged(true), images } }).images;
  expect(listed.map((image) => image.names[0])).toEqual(names);
  expect(listed.every((image) => image.names.length <= 5)).toBe(true);
});

test('a node takes so many pods per processor, and no more than its limit', () => {
  const statuses = [0, 10, 100].map((podsPerCore) =>
    nodeStatus(statusInput(LINUX_MACHINE, { ...settingsFor('linux'), podsPerCore })),
  );
  expect(statuses.map(({ allocatable }) => allocatable['pods'])).toEqual(['110', '40', '110']);
});

test('a condition remembers since when it holds', () => {
  const input = statusInput(LINUX_MACHINE, settingsFor('linux'));
  const first = nodeConditions(input);
  const ready = {
    ...withoutEdged(true),
    ready: true,
    reason: 'KubeletReady',
    message: 'kubelet is posting ready status',
  };
  const later = nodeConditions({ ...input, previous: first, edged: ready, now: minutesLater(1) });
  expect(later.map(({ type, lastTransitionTime }) => `${type} ${lastTransitionTime}`)).toEqual([
    'MemoryPressure 2026-01-02T03:04:05Z',
    'DiskPressure 2026-01-02T03:04:05Z',
    'PIDPressure 2026-01-02T03:04:05Z',
    'Ready 2026-01-02T03:05:05Z',
  ]);
});

test('a node whose edged is switched off says that it is', () => {
  expect(withoutEdged(false)).toMatchObject({ ready: false, reason: 'EdgedDisabled' });
  expect(withoutEdged(true)).toMatchObject({ ready: false, reason: 'EdgedStarting' });
});

function settingsFor(os: 'linux' | 'windows'): NodeSettings {
  return nodeSettings(edgecoreDefaults(os, { hostName: 'Edge-1', cloudAddress: '192.0.2.1' }));
}

function statusInput(machine: Machine, settings: NodeSettings): ConditionInput & Parameters<typeof nodeStatus>[0] {
  return {
    machine,
    settings,
    edged: withoutEdged(true),
    previous: [],
    now: NOW,
    nodeName: 'edge-1',
    kubeletVersion: 'v1.32.10-kubeedge-v0.1.0',
  };
}

function minutesLater(minutes: number): Date {
  return new Date(NOW.getTime() + minutes * 60_000);
}

test('a runtime whose socket is there but that does not answer is named without a version', () => {
  const machine = { ...WINDOWS_MACHINE, runtime: undefined };
  const { nodeInfo } = nodeStatus(statusInput(machine, settingsFor('windows')));
  expect(nodeInfo['containerRuntimeVersion']).toBe('containerd://unknown');
});

import type { JsonObject } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import type { Pod } from '../pod/pod.ts';
import { samplePod } from '../testing/sample-pods.ts';
import { admissionOrder, admitPod, type AdmissionFacts } from './admit-pod.ts';
import { unsupportedFields } from './unsupported.ts';

const facts: Omit<AdmissionFacts, 'podObject'> = {
  os: 'linux',
  node: {
    metadata: { name: 'edge-1', labels: { zone: 'north' } },
    spec: { taints: [{ key: 'old', effect: 'NoExecute' }] },
  },
  allocatable: { cpu: '2', memory: '4Gi', pods: '3' },
  accepted: [],
  allowedSysctls: [],
  hasAppArmor: false,
  memoryPressure: false,
  diskPressure: false,
  shuttingDown: false,
  isRunning: false,
};
const TOLERATION = { tolerations: [{ operator: 'Exists' }] };

function reasonOf(
  spec: JsonObject,
  changes: Partial<AdmissionFacts> = {},
  metadata: JsonObject = {},
): string | undefined {
  const whole = { ...TOLERATION, ...spec };
  return admitPod(samplePod(whole, metadata), { ...facts, podObject: { metadata, spec: whole }, ...changes })?.reason;
}

function sized(requests: JsonObject): JsonObject {
  return { containers: [{ name: 'main', image: 'a', resources: { requests } }] };
}

function withPort(port: JsonObject): JsonObject {
  return { containers: [{ name: 'main', image: 'a', ports: [port] }] };
}

test('a pod that asks for nothing special is admitted', () => {
  expect(reasonOf({})).toBeUndefined();
});

test.each([
  [{ os: { name: 'windows' } }, {}, 'PodOSNotSupported'],
  [{ nodeSelector: { zone: 'south' } }, {}, 'NodeAffinity'],
  [{ tolerations: [] }, {}, 'TaintToleration'],
  [{ securityContext: { sysctls: [{ name: 'vm.swappiness', value: '1' }] } }, {}, 'SysctlForbidden'],
  [{ securityContext: { appArmorProfile: { type: 'RuntimeDefault' } } }, {}, 'AppArmor'],
  [{ securityContext: { appArmorProfile: { type: 'RuntimeDefault' } } }, { hasAppArmor: true }, undefined],
  [sized({ cpu: '2500m' }), {}, 'OutOfcpu'],
  [sized({ memory: '5Gi' }), {}, 'OutOfmemory'],
  [sized({ cpu: '2500m' }), { isRunning: true }, undefined],
  [{}, { memoryPressure: true }, 'Evicted'],
  [sized({ cpu: '1' }), { memoryPressure: true }, undefined],
  [sized({ cpu: '1' }), { diskPressure: true }, 'Evicted'],
  [{}, { shuttingDown: true }, 'NodeShutdown'],
  [{ securityContext: { windowsOptions: { hostProcess: true } } }, { os: 'windows' as const }, 'HostProcessInvalid'],
])('a pod with %j on a node with %j: %s', (spec, changes, reason) => {
  expect(reasonOf(spec, changes)).toBe(reason);
});

test('the label of the operating system counts as well', () => {
  expect(reasonOf({}, {}, { labels: { 'kubernetes.io/os': 'windows' } })).toBe('PodOSSelectorNodeLabelDoesNotMatch');
});

test('what accepted pods use is not there any more', () => {
  const accepted = [samplePod(sized({ cpu: '1500m' })), samplePod(withPort({ containerPort: 80, hostPort: 80 }))];
  expect(reasonOf(sized({ cpu: '600m' }), { accepted })).toBe('OutOfcpu');
  expect(reasonOf(sized({ cpu: '500m' }), { accepted })).toBeUndefined();
  expect(reasonOf(withPort({ containerPort: 81, hostPort: 80 }), { accepted })).toBe('NodePorts');
  expect(reasonOf({}, { accepted: [...accepted, samplePod()] })).toBe('OutOfpods');
});

test('a critical static pod is admitted under pressure', () => {
  const metadata = { annotations: { 'kubernetes.io/config.source': 'file' } };
  expect(reasonOf({ priorityClassName: 'system-node-critical' }, { diskPressure: true }, metadata)).toBeUndefined();
});

function created(uid: string, creationTimestamp: string): Pod {
  return samplePod({}, { uid, creationTimestamp });
}

test('pods that run are asked first, then the oldest', () => {
  const pods = [
    { pod: created('young', '2026-02-01T00:00:00Z'), isRunning: false },
    { pod: created('old', '2026-01-01T00:00:00Z'), isRunning: false },
    { pod: created('runs', '2026-03-01T00:00:00Z'), isRunning: true },
  ];
  expect(admissionOrder(pods).map(({ metadata }) => metadata.uid)).toEqual(['runs', 'old', 'young']);
});

function unsupported(spec: JsonObject, os: 'linux' | 'windows' = 'linux'): readonly string[] {
  const metadata = { name: 'a', namespace: 'b', uid: 'c' };
  const pod = { metadata, spec: { containers: [{ name: 'main', image: 'a' }], ...spec } };
  const found = unsupportedFields(pod, os);
  for (const { field, message } of found) expect(message).toContain(`"${field}"`);
  return found.map(({ field }) => field);
}

test.each([
  [{ runtimeClassName: 'gvisor' }, ['spec.runtimeClassName']],
  [{ hostUsers: false }, ['spec.hostUsers']],
  [{ hostUsers: true }, []],
  [{ resourceClaims: [{ name: 'gpu' }] }, ['spec.resourceClaims']],
  [{ volumes: [{ name: 'v', nfs: { server: 's', path: '/' } }] }, ['spec.volumes[0].nfs']],
  [
    { volumes: [{ name: 'v', projected: { sources: [{ podCertificate: {} }] } }] },
    ['spec.volumes[0].projected.sources[0].podCertificate'],
  ],
  [
    { containers: [{ name: 'main', image: 'a', volumeDevices: [{ name: 'v', devicePath: '/dev/x' }] }] },
    ['spec.containers[0].volumeDevices'],
  ],
  [
    {
      containers: [
        { name: 'main', image: 'a', resources: { limits: { 'nvidia.com/gpu': 1 }, claims: [{ name: 'x' }] } },
      ],
    },
    ['spec.containers[0].resources.claims', 'spec.containers[0].resources.limits'],
  ],
  [
    { containers: [{ name: 'main', image: 'a', lifecycle: { stopSignal: 'SIGUSR1' } }] },
    ['spec.containers[0].lifecycle.stopSignal'],
  ],
  [
    { containers: [{ name: 'main', image: 'a', env: [{ name: 'A', valueFrom: { fileKeyRef: {} } }] }] },
    ['spec.containers[0].env[0].valueFrom.fileKeyRef'],
  ],
  [{ fieldOfTheFuture: { on: true } }, ['spec.fieldOfTheFuture']],
])('of %j, these fields are not supported: %j', (spec, fields) => {
  expect(unsupported(spec)).toEqual(fields);
});

test('fields for others and fields that were never set are not named', () => {
  expect(
    unsupported({
      affinity: { nodeAffinity: {} },
      tolerations: [{ operator: 'Exists' }],
      schedulerName: 'default-scheduler',
      resourceClaims: [],
      schedulingGates: null,
      containers: [
        {
          name: 'main',
          image: 'a',
          env: [{ name: 'A', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } }],
        },
      ],
    }),
  ).toEqual([]);
});

test('what means something on Linux only is not supported on Windows, unless it asks for nothing', () => {
  const securityContext = { privileged: true, allowPrivilegeEscalation: false, runAsNonRoot: true, capabilities: {} };
  const spec = {
    hostPID: true,
    hostIPC: false,
    securityContext: { runAsUser: 0, fsGroup: 5, sysctls: [], windowsOptions: { runAsUserName: 'ContainerUser' } },
    containers: [{ name: 'main', image: 'a', securityContext }],
  };
  expect(unsupported(spec)).toEqual([]);
  expect(unsupported(spec, 'windows')).toEqual([
    'spec.hostPID',
    'spec.securityContext.runAsUser',
    'spec.securityContext.fsGroup',
    'spec.containers[0].securityContext.privileged',
  ]);
});

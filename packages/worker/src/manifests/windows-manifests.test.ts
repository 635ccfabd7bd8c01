import { type JsonObject, type KubeObject, listAt, objectAt, stringAt, valueAt } from '@fenestra/kube-api';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { manifestsYaml, windowsManifests } from './windows-manifests.ts';
import { POD_NETWORKS } from './manifest-request.ts';
import { requestWith } from './testing/requests.ts';
import { schemaProblems } from './testing/schema-problems.ts';

const HOST_PROCESS_VERSIONS = ['1.23', '1.24', '1.27', '1.28', '1.30', '1.33', '1.36', '1.37'];
const WINS_VERSIONS = ['1.20', '1.22', '1.28', '1.33'];

const everything = [
  ...HOST_PROCESS_VERSIONS.map((version) => ({ version, wins: false })),
  ...WINS_VERSIONS.map((version) => ({ version, wins: true })),
].flatMap((choice) => POD_NETWORKS.map((network) => ({ ...choice, network })));

function objectsFor(given: Parameters<typeof requestWith>[0]): readonly KubeObject[] {
  return windowsManifests(requestWith({ policies: true, ...given })).objects;
}

function daemonSets(objects: readonly KubeObject[]): readonly KubeObject[] {
  return objects.filter(({ kind }) => kind === 'DaemonSet');
}

function named(objects: readonly KubeObject[], kind: string, name: string): KubeObject | undefined {
  return objects.find((object) => object.kind === kind && object.metadata.name === name);
}

test.each(everything)('every object for $version, $network, wins: $wins is as its schema wants it', (choice) => {
  const objects = objectsFor(choice);
  expect(objects.flatMap((object) => schemaProblems(object).map((problem) => `${object.kind}: ${problem}`))).toEqual(
    [],
  );
});

test('the check of schemas finds a wrong type, an unknown field and an unknown kind', () => {
  const [pods] = daemonSets(objectsFor({}));
  if (pods === undefined) throw new Error('no DaemonSet');
  const spec = { ...objectAt(pods, 'spec'), minReadySeconds: 'soon', minReadySecond: 5 };
  expect(schemaProblems({ ...pods, spec })).toEqual([
    '/spec/minReadySeconds: type',
    '/spec/minReadySecond: unknown field',
  ]);
  expect(schemaProblems({ ...pods, kind: 'DemonSet' })).toEqual(['no such kind: apps/v1 DemonSet']);
});

test.each(everything)('what an object for $version, $network, wins: $wins names is there', (choice) => {
  const objects = objectsFor(choice);
  for (const pods of daemonSets(objects)) {
    const { name, namespace } = pods.metadata;
    const spec = objectAt(pods, 'spec', 'template', 'spec');
    expect(named(objects, 'Namespace', namespace ?? '')).toBeDefined();
    expect(named(objects, 'ServiceAccount', stringAt(spec, 'serviceAccountName'))?.metadata.namespace).toBe(namespace);
    const files = objectAt(named(objects, 'ConfigMap', name), 'data');
    expect(Object.keys(files)).toEqual(expect.arrayContaining(['start.ps1', 'kubeconfig']));
    const volumes = listAt(spec, 'volumes').map((volume) => stringAt(volume, 'name'));
    const mounts = listAt(listAt(spec, 'containers')[0], 'volumeMounts').map((mount) => stringAt(mount, 'name'));
    expect(mounts).toEqual(volumes);
  }
});

test('names are what Kubernetes takes for names, and nothing is there twice', () => {
  const objects = objectsFor({});
  const labels = objects.map(({ metadata }) => metadata.name);
  expect(labels.filter((name) => !/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name))).toEqual([]);
  const keys = objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`);
  expect(new Set(keys).size).toBe(keys.length);
});

test('a namespace is made before what is in it, and an account before its pods', () => {
  expect(objectsFor({ policies: false, network: 'none' }).map(({ kind }) => kind)).toEqual([
    'Namespace',
    'ServiceAccount',
    'ClusterRoleBinding',
    'ConfigMap',
    'DaemonSet',
  ]);
});

/** See https://kubernetes.io/docs/concepts/workloads/pods/pod-os for what a pod of Windows must not have. */
const NOT_FOR_WINDOWS = ['hostPID', 'hostIPC', 'hostUsers', 'shareProcessNamespace'];

test('pods are HostProcess pods of Windows nodes alone, and Pod Security lets them be', () => {
  const objects = objectsFor({});
  for (const pods of daemonSets(objects)) {
    const spec = objectAt(pods, 'spec', 'template', 'spec');
    expect(spec).toMatchObject({
      hostNetwork: true,
      nodeSelector: { 'kubernetes.io/os': 'windows' },
      securityContext: { windowsOptions: { hostProcess: true, runAsUserName: 'NT AUTHORITY\\SYSTEM' } },
      automountServiceAccountToken: false,
    });
    expect(Object.keys(spec).filter((field) => NOT_FOR_WINDOWS.includes(field))).toEqual([]);
    expect(valueAt(listAt(spec, 'containers')[0], 'securityContext')).toBeUndefined();
    const labels = named(objects, 'Namespace', pods.metadata.namespace ?? '')?.metadata.labels;
    expect(labels).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'privileged' });
  }
});

test('the kubeconfig names the API server itself, and files that lie beside it', () => {
  const kubeconfig = stringAt(named(objectsFor({}), 'ConfigMap', 'kube-proxy-windows'), 'data', 'kubeconfig');
  expect(JSON.parse(kubeconfig)).toMatchObject({
    clusters: [{ cluster: { server: 'https://10.0.0.5:6443', 'certificate-authority': 'ca.crt' } }],
    users: [{ user: { tokenFile: 'token' } }],
  });
});

test('accounts have the rights of their program and no others', () => {
  const objects = objectsFor({});
  expect(objects.filter(({ kind }) => kind === 'ClusterRole').map(({ rules }) => rules)).toEqual([
    [
      { apiGroups: [''], resources: ['nodes'], verbs: ['get', 'list', 'watch'] },
      { apiGroups: [''], resources: ['nodes/status'], verbs: ['patch'] },
    ],
  ]);
  const bindings = objects.filter(({ kind }) => kind === 'ClusterRoleBinding');
  expect(bindings.map((binding) => stringAt(binding, 'roleRef', 'name'))).toEqual([
    'kube-flannel-windows',
    'system:node-proxier',
  ]);
});

test.each([
  { version: '1.32', gates: true },
  { version: '1.33', gates: false },
  { version: '1.36', gates: false },
])('kube-proxy $version gets feature gates: $gates', ({ version, gates }) => {
  const files = named(objectsFor({ version }), 'ConfigMap', 'kube-proxy-windows');
  expect(stringAt(files, 'data', 'arguments.txt').includes('--feature-gates=WinDSR=true,WinOverlay=true')).toBe(gates);
});

test.each([
  { version: '1.23', os: undefined },
  { version: '1.24', os: { name: 'windows' } },
])('pods for $version name their operating system: $os', ({ version, os }) => {
  const [pods] = daemonSets(objectsFor({ version }));
  expect(valueAt(pods, 'spec', 'template', 'spec', 'os')).toEqual(os);
});

function flannelFiles(network: string): JsonObject {
  return objectAt(named(objectsFor({ network }), 'ConfigMap', 'kube-flannel-windows'), 'data');
}

test('the two networks of Flannel agree in name, plugin and backend', () => {
  const overlay = flannelFiles('flannel-overlay');
  expect(JSON.parse(stringAt(overlay, 'net-conf.json'))).toEqual({
    Network: '10.244.0.0/16',
    Backend: { Type: 'vxlan', VNI: 4096, Port: 4789 },
  });
  expect(JSON.parse(stringAt(overlay, 'cni-conf.json'))).toMatchObject({
    name: 'flannel.4096',
    delegate: { type: 'sdnoverlay' },
  });
  const bridge = flannelFiles('flannel-host-gateway');
  expect(JSON.parse(stringAt(bridge, 'net-conf.json'))).toEqual({
    Network: '10.244.0.0/16',
    Backend: { Type: 'host-gw' },
  });
  expect(JSON.parse(stringAt(bridge, 'cni-conf.json'))).toMatchObject({
    name: 'cbr0',
    delegate: { type: 'sdnbridge' },
  });
});

function annotationsFor(podSubnet: string): readonly unknown[] {
  const path = ['spec', 'template', 'metadata', 'annotations'];
  return daemonSets(objectsFor({ podSubnet })).map((pods) => valueAt(pods, ...path));
}

test('a change of a file changes the pods, so that they start again', () => {
  expect(annotationsFor('10.244.0.0/16')).toEqual(annotationsFor('10.244.0.0/16'));
  expect(annotationsFor('10.245.0.0/16')).not.toEqual(annotationsFor('10.244.0.0/16'));
});

test('files keep their order: the pods of another order would start again', () => {
  const objects = objectsFor({});
  const names = (part: string): readonly string[] =>
    Object.keys(objectAt(named(objects, 'ConfigMap', part) ?? { metadata: { name: '' } }, 'data'));
  expect(names('kube-proxy-windows')).toEqual(['start.ps1', 'arguments.txt', 'source-address.json', 'kubeconfig']);
  expect(names('kube-flannel-windows')).toEqual(['start.ps1', 'net-conf.json', 'cni-conf.json', 'kubeconfig']);
});

test('images are what was asked for', () => {
  const images = ['kube-proxy=registry.example:5000/proxy:v1', 'flannel=flannel@sha256:' + 'a'.repeat(64)];
  const found = daemonSets(objectsFor({ images })).map((pods) =>
    stringAt(listAt(pods, 'spec', 'template', 'spec', 'containers')[0], 'image'),
  );
  expect(found).toEqual([images[1]?.slice('flannel='.length), images[0]?.slice('kube-proxy='.length)]);
});

test('the historic set mounts the pipe, is not a HostProcess, and says loudly what it is', () => {
  const { objects, notes } = windowsManifests(requestWith({ wins: true, version: '1.20' }));
  const volumes = daemonSets(objects).flatMap((pods) => listAt(pods, 'spec', 'template', 'spec', 'volumes'));
  expect(volumes).toContainEqual({ name: 'wins', hostPath: { path: '\\\\.\\pipe\\rancher_wins' } });
  expect(JSON.stringify(objects)).not.toContain('hostProcess');
  expect(notes[0]).toMatch(/^DANGER/);
});

test('the printed stream reads back as the same objects, with the notes as comments', () => {
  const request = requestWith({ policies: true });
  const made = windowsManifests(request);
  const text = manifestsYaml(request, made);
  expect(parseAllDocuments(text).map((document): unknown => document.toJS())).toEqual(made.objects);
  for (const note of made.notes) expect(text).toContain(`# ${note}\n`);
});

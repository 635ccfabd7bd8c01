import { OperatorError } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import { loadEdgecoreConfig } from '../edgecore/load.ts';

const load = (text: string) => loadEdgecoreConfig(text, 'edgecore.yaml', 'linux');

function problemsOf(text: string): readonly string[] {
  try {
    load(text);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    expect(error.code).toBe('CONFIG_INVALID');
    return error.message.split('\n').slice(1);
  }
  return [];
}

test('every problem is reported at once, each with file, line and field, in the order of the lines', () => {
  const text = `apiVersion: edgecore.config.kubeedge.io/v1alpha2
kind: EdgeCore
modules:
  edgeHub:
    heartbeat: 0
    websocket:
      server: cloud
  edged:
    hostnameOverride: Edge_1
    tailoredKubeletConfig:
      cgroupDriver: cgroupv2
      syncFrequency: 10
  metaManager: on
`;
  expect(problemsOf(text)).toEqual([
    '  edgecore.yaml:5 modules.edgeHub.heartbeat: must be at least 1',
    '  edgecore.yaml:7 modules.edgeHub.websocket.server: must be a host and a port such as "192.0.2.1:10000"',
    '  edgecore.yaml:9 modules.edged.hostnameOverride: must be a node name: lower-case letters, digits, "-" and ".", with a letter or digit at both ends',
    '  edgecore.yaml:11 modules.edged.tailoredKubeletConfig.cgroupDriver: must be "cgroupfs" or "systemd"',
    '  edgecore.yaml:12 modules.edged.tailoredKubeletConfig.syncFrequency: must be a span of time such as "10s", "1m30s" or "100ms"',
    '  edgecore.yaml:13 modules.metaManager: must be a mapping',
  ]);
});

test('the message says which file and how many problems, and the hint one thing to do', () => {
  expect(() => load('modules: []')).toThrow(
    expect.objectContaining({
      message: 'Cannot load "edgecore.yaml": 1 problem(s)\n  edgecore.yaml:1 modules: must be a mapping',
      hint: 'Correct the lines above; "edgecore --defaultconfig" prints every field with its default.',
      details: { file: 'edgecore.yaml', problems: 1 },
    }),
  );
});

test.each([
  ['modules:\n  edgeHub:\n    hartbeat: 15', 3, 'modules.edgeHub.hartbeat: unknown key; did you mean "heartbeat"?'],
  ['modules:\n  edgehab: {}', 2, 'modules.edgehab: unknown key; did you mean "edgeHub"?'],
  [
    'modules:\n  edged:\n    cgroupDriver: systemd',
    3,
    'modules.edged.cgroupDriver: unknown key here; there is "modules.edged.tailoredKubeletConfig.cgroupDriver"',
  ],
  ['database:\n  zzz: 1', 2, 'database.zzz: unknown key; the nearest known one is "aliasName"'],
  ['<<: {}', 1, '["<<"]: unknown key; the nearest known one is "kind"'],
])('a key no one knows is an error with the nearest known key: %j', (text, line, problem) => {
  expect(problemsOf(text)).toEqual([`  edgecore.yaml:${line} ${problem}`]);
});

test('a file of another kind or version says only that', () => {
  expect(problemsOf('apiVersion: edgecore.config.kubeedge.io/v1alpha1\nmodules: {edged: {clusterDNS: ""}}')).toEqual([
    '  edgecore.yaml:1 apiVersion: must be "edgecore.config.kubeedge.io/v1alpha2"',
  ]);
  expect(problemsOf('kind: CloudCore\nkubeAPIConfig: {}')).toEqual(['  edgecore.yaml:1 kind: must be "EdgeCore"']);
});

test.each(['', '\n# nothing\n', '---\n', 'null'])('an empty file is not a configuration: %j', (text) => {
  expect(problemsOf(text)).toEqual(['  edgecore.yaml:1 is empty']);
});

test('what is not YAML is reported with its line, without quoting it', () => {
  expect(problemsOf('kind: EdgeCore\nmodules:\n\tedgeHub: {}')).toEqual([
    '  edgecore.yaml:3 is indented with a tab; use spaces',
  ]);
  expect(problemsOf('database:\n  dataSource: "C:\\Data"').join()).toContain('edgecore.yaml:2 has an escape');
  expect(problemsOf('kind: EdgeCore\nkind: EdgeCore')).toEqual([
    '  edgecore.yaml:2 has a key that is already there above',
  ]);
  expect(problemsOf('kind: EdgeCore\n---\nkind: EdgeCore')).toEqual([
    '  edgecore.yaml:2 starts a second document; the file can hold only one',
  ]);
  expect(problemsOf('[secret'.repeat(20_000)).join()).not.toContain('secret');
});

test('a Windows path in double quotes, where YAML reads "\\v" as a control character, is not taken as it is', () => {
  expect(problemsOf('database:\n  dataSource: "C:\\var\\lib"')).toHaveLength(1);
  expect(problemsOf('database:\n  dataSource: "C:\\temp"')).toEqual([
    '  edgecore.yaml:2 database.dataSource: has a control character: write Windows paths without quotes or in single ones',
  ]);
  expect(load("database: {dataSource: 'C:\\var\\lib'}").config.database.dataSource).toBe('C:\\var\\lib');
});

test('a key may have another case, as upstream allows, but not twice', () => {
  expect(load('modules: {edgehub: {tlsCAFile: /ca}}').config.modules.edgeHub.tlsCaFile).toBe('/ca');
  expect(problemsOf('modules: {edgeHub: {tlsCaFile: /a, tlsCAFile: /b}}')).toEqual([
    '  edgecore.yaml:1 modules.edgeHub.tlsCaFile: is given twice',
  ]);
});

test('what is null has its default, even a whole module', () => {
  const { config } = load('modules: {metaManager: null, edgeHub: {heartbeat: null}}');
  expect(config.modules.metaManager.remoteQueryTimeout).toBe(60);
  expect(config.modules.edgeHub.heartbeat).toBe(15);
});

test('mappings are added to the defaults and lists replace them', () => {
  const { tailoredKubeletConfig } = load(
    'modules: {edged: {tailoredKubeletConfig: {evictionHard: {memory.available: 1Gi}, enforceNodeAllocatable: [none]}}}',
  ).config.modules.edged;
  expect(tailoredKubeletConfig.evictionHard).toMatchObject({ 'memory.available': '1Gi', 'nodefs.available': '10%' });
  expect(tailoredKubeletConfig.enforceNodeAllocatable).toEqual(['none']);
});

test('a text may look like a number or a switch, and a switch may be spelled as upstream allows', () => {
  const { edged, eventBus } = load(
    'modules: {edged: {hostnameOverride: 007, nodeLabels: {a: 1, b: true}}, eventBus: {enable: off, mqttPassword: 1e3}}',
  ).config.modules;
  expect(edged.hostnameOverride).toBe('007');
  expect(edged.nodeLabels).toEqual({ a: '1', b: 'true' });
  expect(eventBus).toMatchObject({ enable: false, mqttPassword: '1e3' });
});

test('exactly one way to the hub may be on, and it is WebSocket', () => {
  expect(problemsOf('modules: {edgeHub: {quic: {enable: true}}}').join()).toContain('must be false where');
  expect(problemsOf('modules: {edgeHub: {quic: {enable: true}, websocket: {enable: false}}}').join()).toContain('QUIC');
  expect(problemsOf('modules: {edgeHub: {enable: false, websocket: {enable: false}}}')).toEqual([]);
});

test('no value of the file is in the message, since it may be a secret', () => {
  const text = 'modules:\n  edgeHub:\n    token: [hunter2]\n    heartbeat: hunter2\n    httpServer: hunter2\n';
  expect(problemsOf(text)).toHaveLength(3);
  expect(problemsOf(text).join()).not.toContain('hunter2');
});

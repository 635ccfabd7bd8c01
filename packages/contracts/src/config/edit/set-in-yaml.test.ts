import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { edgecoreDefaults } from '../edgecore/load.ts';
import { loadEdgecoreConfig } from '../edgecore/load.ts';
import { EdgecoreConfig } from '../edgecore/schema.ts';
import { defaultEdgecoreYaml } from '../edgecore/load.ts';
import { fieldPaths } from '../reading/schema-shape.ts';
import { valueAt } from '../reference/documented-file.ts';
import { setInYaml } from './set-in-yaml.ts';

const TEXT = `# The node in hall 7
apiVersion: edgecore.config.kubeedge.io/v1alpha2
kind: EdgeCore
modules:
  edgeHub:
    heartbeat: 15 # seconds
    # where the cloud is
    httpServer: "https://192.0.2.1:10002"
  edged:
    nodeLabels: { hall: seven }
    tailoredKubeletConfig:
      clusterDNS:
      - 10.0.0.1
      - 10.0.0.2
`;

const set = (...wishes: readonly string[]): string => setInYaml(TEXT, wishes);
const load = (text: string) => loadEdgecoreConfig(text, 'edgecore.yaml', 'linux').config.modules;

test('one value changes, and comments, order, indentation and all other lines stay', () => {
  expect(set('modules.edgeHub.heartbeat=20')).toBe(TEXT.replace('heartbeat: 15', 'heartbeat: 20'));
  expect(set('modules.edgeHub.httpServer=https://192.0.2.9:10002')).toBe(TEXT.replace('192.0.2.1', '192.0.2.9'));
  const wide = 'modules:\n    edgeHub:\n        heartbeat: 15\n';
  expect(setInYaml(wide, ['modules.edgeHub.heartbeat=20'])).toBe(wide.replace('15', '20'));
});

test('a file in which nothing changes keeps every byte', () => {
  expect(
    set('modules.edgeHub.heartbeat=15', 'modules.edged.tailoredKubeletConfig.clusterDNS={10.0.0.1,10.0.0.2}'),
  ).toBe(TEXT);
});

test('what is not there yet is made, on the whole way', () => {
  expect(load(set('modules.metaManager.metaServer.enable=true')).metaManager.metaServer.enable).toBe(true);
  expect(load(setInYaml('kind: EdgeCore\nmodules:\n', ['modules.edgeHub.heartbeat=7'])).edgeHub.heartbeat).toBe(7);
  expect(load(setInYaml('# nothing\n', ['modules.edgeHub.heartbeat=7'])).edgeHub.heartbeat).toBe(7);
});

test("paths are understood by the file's names and by Go's", () => {
  const text = set(
    'Modules.EdgeHub.WebSocket.Server=cloud:10000',
    'Modules.EventBus.TLS.Enable=true',
    'Modules.Edged.TailoredKubeletFlag.HostnameOverride=edge-9',
    'modules.edged.TailoredKubeletFlag.ContainerRuntimeOptions.PodSandboxImage=pause:4',
    'modules.edgeStream.TunnelServer=cloud:10004',
  );
  expect(load(text)).toMatchObject({
    edgeHub: { websocket: { server: 'cloud:10000' } },
    eventBus: { eventBusTLS: { enable: true } },
    edged: { hostnameOverride: 'edge-9', podSandboxImage: 'pause:4' },
    edgeStream: { server: 'cloud:10004' },
  });
});

test('a key that the file spells in another case is changed and not given twice', () => {
  const text = setInYaml('modules:\n  edgehub:\n    Heartbeat: 15\n', ['modules.edgeHub.heartbeat=20']);
  expect(text).toBe('modules:\n  edgehub:\n    Heartbeat: 20\n');
});

test('values get the type of their field, and quotes make a text', () => {
  const text = set(
    'modules.edged.hostnameOverride=007',
    'modules.eventBus.enable=off',
    'modules.eventBus.mqttPassword="a=b,c"',
    'modules.edged.tailoredKubeletConfig.memoryThrottlingFactor=0.5',
    'modules.edged.tailoredKubeletConfig.clusterDNS={10.0.0.9, "10.0.0.8"}',
    'modules.edged.tailoredKubeletConfig.enforceNodeAllocatable={}',
  );
  expect(load(text)).toMatchObject({
    edged: {
      hostnameOverride: '007',
      tailoredKubeletConfig: {
        memoryThrottlingFactor: 0.5,
        clusterDNS: ['10.0.0.9', '10.0.0.8'],
        enforceNodeAllocatable: [],
      },
    },
    eventBus: { enable: false, mqttPassword: 'a=b,c' },
  });
});

test('elements of lists and names with dots can be set', () => {
  const text = set(
    'modules.edged.tailoredKubeletConfig.clusterDNS[1]=10.0.0.7',
    'modules.edged.tailoredKubeletConfig.clusterDNS[2]=10.0.0.3',
    'modules.edged.tailoredKubeletConfig.registerWithTaints[0].key=edge',
    'modules.edged.tailoredKubeletConfig.registerWithTaints[0].effect=NoSchedule',
    'modules.edged.nodeLabels.example.com/hall=7',
    'modules.edged.tailoredKubeletConfig.evictionHard["memory.available"]=1Gi',
  );
  const { nodeLabels, tailoredKubeletConfig } = load(text).edged;
  expect(nodeLabels).toEqual({ hall: 'seven', 'example.com/hall': '7' });
  expect(tailoredKubeletConfig).toMatchObject({
    clusterDNS: ['10.0.0.1', '10.0.0.7', '10.0.0.3'],
    registerWithTaints: [{ key: 'edge', effect: 'NoSchedule' }],
    evictionHard: { 'memory.available': '1Gi' },
  });
});

test.each([
  ['modules.edgeHub.hartbeat=1', '"modules.edgeHub.hartbeat" (unknown key; did you mean "heartbeat"?)'],
  ['modules.edgeHub=1', '"modules.edgeHub" (is a mapping; name a field in it)'],
  ['modules.edged.tailoredKubeletConfig.clusterDNS=10.0.0.1', 'is a list; write it like "{a,b}"'],
  ['modules.edged.tailoredKubeletConfig.clusterDNS.a=1', 'is a list; name an element'],
  ['modules.edged.tailoredKubeletConfig.clusterDNS[7]=1', 'the list is shorter'],
  ['modules.edgeHub.heartbeat.x=1', 'is a single value and has nothing in it'],
  ['modules..edgeHub=1', 'is not a path'],
  ['[0]=1', 'unknown key'],
])('%s is refused, and says why', (wish, message) => {
  expect(() => set(wish)).toThrow(
    expect.objectContaining({ code: 'USAGE', message: expect.stringContaining(message) }),
  );
});

test('every wrong wish is reported at once, and never its value', () => {
  expect(() => set('a=hunter2', 'modules.b=hunter2')).toThrow(
    expect.objectContaining({
      message:
        'Cannot set "a" (unknown key; the nearest known one is "kind"), "modules.b" (unknown key; the nearest known one is "edged")',
    }),
  );
});

test('an alias on the way is left to the operator', () => {
  const text = 'modules:\n  edgeHub: { websocket: &ws { server: "a:1" }, quic: *ws }\n';
  expect(() => setInYaml(text, ['modules.edgeHub.quic.server=b:1'])).toThrow('manually');
});

test('a file that is not YAML is reported with its line', () => {
  expect(() => setInYaml('a: [', ['kind=EdgeCore'])).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
});

test('any default value that is set is read back, and nothing else changes', () => {
  const defaults = edgecoreDefaults('linux');
  const scalars = fieldPaths(EdgecoreConfig).filter((path) =>
    ['string', 'number', 'boolean'].includes(typeof valueAt(defaults, path)),
  );
  const whole = defaultEdgecoreYaml('linux');
  fc.assert(
    fc.property(fc.subarray([...scalars], { minLength: 1, maxLength: 5 }), (paths) => {
      const wishes = paths.map((path) => `${path}=${String(valueAt(defaults, path))}`);
      expect(setInYaml(whole, wishes)).toBe(whole);
      expect(loadEdgecoreConfig(setInYaml('kind: EdgeCore\n', wishes), 'edgecore.yaml', 'linux').config).toEqual(
        defaults,
      );
    }),
    { numRuns: 30 },
  );
});

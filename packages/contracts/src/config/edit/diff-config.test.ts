import { expect, test } from 'vitest';
import { edgecoreDefaults } from '../edgecore/load.ts';
import { loadEdgecoreConfig } from '../edgecore/load.ts';
import { diffConfig, redactConfig, restartKeys } from './diff-config.ts';

const before = edgecoreDefaults('linux');
const load = (text: string) => loadEdgecoreConfig(text, 'edgecore.yaml', 'linux').config;

test('every setting that differs is listed, with what it was and what it is', () => {
  const after = load(
    'modules: {edgeHub: {heartbeat: 20}, edged: {nodeLabels: {a.b: c}, tailoredKubeletConfig: {clusterDNS: [10.0.0.1], kubeReserved: {cpu: 1}}}}',
  );
  expect(diffConfig(before, after)).toEqual([
    { path: 'modules.edgeHub.heartbeat', before: 15, after: 20 },
    { path: 'modules.edged.nodeLabels["a.b"]', before: undefined, after: 'c' },
    { path: 'modules.edged.tailoredKubeletConfig.clusterDNS', before: [], after: ['10.0.0.1'] },
    { path: 'modules.edged.tailoredKubeletConfig.kubeReserved.cpu', before: undefined, after: '1' },
  ]);
  expect(diffConfig(after, after)).toEqual([]);
});

test('secrets are reported and not shown', () => {
  const after = load(
    'modules: {edgeHub: {token: hunter2}, eventBus: {mqttPassword: hunter2, mqttServerExternal: "tcp://u:hunter2@h:1"}}',
  );
  expect(diffConfig(before, after)).toEqual([
    { path: 'modules.edgeHub.token', before: '', after: '***' },
    { path: 'modules.eventBus.mqttServerExternal', before: 'tcp://127.0.0.1:1883', after: 'tcp://***@h:1' },
    { path: 'modules.eventBus.mqttPassword', before: '', after: '***' },
  ]);
  expect(JSON.stringify(redactConfig(after))).not.toContain('hunter2');
});

test("only the database's place and the node's name need a restart", () => {
  const after = load(
    'database: {dataSource: /x.db}\nmodules: {edgeHub: {heartbeat: 20}, edged: {hostnameOverride: n}}',
  );
  expect(restartKeys(before, after)).toEqual(['database.dataSource', 'modules.edged.hostnameOverride']);
  expect(restartKeys(before, load('modules: {edgeHub: {heartbeat: 20}}'))).toEqual([]);
});

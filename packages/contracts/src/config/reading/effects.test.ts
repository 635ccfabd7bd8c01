import { expect, test } from 'vitest';
import { CLOUDCORE_EFFECTS } from '../cloudcore/effects.ts';
import { loadCloudcoreConfig } from '../cloudcore/load.ts';
import { CloudcoreConfig } from '../cloudcore/schema.ts';
import { EDGECORE_EFFECTS } from '../edgecore/effects.ts';
import { loadEdgecoreConfig } from '../edgecore/load.ts';
import { EdgecoreConfig } from '../edgecore/schema.ts';
import { fieldPaths } from './schema-shape.ts';

const notesOf = (text: string) => loadEdgecoreConfig(text, 'edgecore.yaml', 'linux').notes.map(({ path }) => path);

test('a module that is switched on and is not there is noted once', () => {
  expect(notesOf('modules: {serviceBus: {enable: true}, eventBus: {enable: true, mqttMode: 2}}')).toEqual([
    'modules.serviceBus',
    'modules.eventBus',
  ]);
});

test('a field without effect is noted where the file changes it, and only there', () => {
  const kubelet = 'modules.edged.tailoredKubeletConfig';
  expect(notesOf('modules: {edged: {tailoredKubeletConfig: {maxPods: 5, podsPerCore: 0, hairpinMode: none}}}')).toEqual(
    [`${kubelet}.hairpinMode`],
  );
});

test('what is in a module that is off asks for nothing', () => {
  expect(notesOf('modules: {eventBus: {enable: false, mqttMode: 0}, edgeHub: {quic: {server: "a:1"}}}')).toEqual([]);
});

test('a node that never connects is noted: upstream writes that into its minimal file', () => {
  expect(notesOf('modules: {edgeHub: {enable: false}}')).toEqual(['modules.edgeHub.enable']);
  expect(loadCloudcoreConfig('modules: {cloudHub: {enable: false}}', 'cloudcore.yaml').notes).toEqual([
    { path: 'modules.cloudHub.enable', reason: 'it is false, so no node can connect' },
  ]);
});

test.each([
  ['edgecore', EDGECORE_EFFECTS, EdgecoreConfig],
  ['cloudcore', CLOUDCORE_EFFECTS, CloudcoreConfig],
])('every field in the table of %s exists', (_, effects, schema) => {
  const known = fieldPaths(schema);
  expect(Object.keys(effects).filter((path) => !known.includes(path))).toEqual([]);
});

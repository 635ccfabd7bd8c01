import { loadEdgecoreConfig, setInYaml } from '@fenestra/contracts';
import { expect, test } from 'vitest';
import type { NodeFacts } from '../node/node-facts.ts';
import { testNode } from '../testing/test-node.ts';
import { joinConfiguration } from './join-configuration.ts';
import type { JoinWishes } from './join-wishes.ts';
import { findNotApplied } from './not-applied.ts';
import { testLayout as layout } from '../testing/test-layout.ts';
import { bare, host, joined, wishes } from './testing/facts.ts';

const { text: configText } = joinConfiguration(wishes, host, layout);
const { config } = loadEdgecoreConfig(configText, 'edgecore.yaml', 'linux');
const node: NodeFacts = { ...testNode, host, configText, config, installedVersion: 'v0.0.9' };
const asked = (change: Partial<JoinWishes>) => findNotApplied({ ...wishes, ...change }, node, joined);

test('the same command a second time has left nothing out', () => {
  expect(asked({})).toEqual({ settings: [], version: undefined });
});

test('flags that would change the settings of the node are named, without their values', () => {
  const { settings } = asked({
    labels: { zone: 'north' },
    assignments: ['modules.edgeHub.heartbeat=7', 'modules.eventBus.mqttPassword=very-secret'],
  });
  expect(settings.toSorted()).toEqual([
    'modules.edgeHub.heartbeat',
    'modules.edged.nodeLabels.zone',
    'modules.eventBus.mqttPassword',
  ]);
});

test('flags that ask for what the node has anyway are not', () => {
  expect(asked({ assignments: [`modules.edgeHub.heartbeat=${config.modules.edgeHub.heartbeat}`] }).settings).toEqual(
    [],
  );
});

test('a file that differs from the one of the node is described by what differs, but for its token', () => {
  const text = setInYaml(configText, ['modules.edgeHub.heartbeat=7', 'modules.edgeHub.token=t']);
  expect(asked({ configuration: { path: '/new.yaml', text } }).settings).toEqual(['modules.edgeHub.heartbeat']);
});

test('a version that was named is shown, one that this keadm happens to carry is not', () => {
  expect(asked({ version: 'v0.1.0' }).version).toBe('v0.1.0');
  expect(asked({ release: { from: '/media', version: undefined, trustKeys: [] } }).version).toBe('v0.1.0');
  expect(findNotApplied({ ...wishes, version: 'v0.1.0' }, { ...node, installedVersion: '0.1.0' }, joined).version).toBe(
    undefined,
  );
});

test('a machine that joins now gets everything', () => {
  const wanted = { ...wishes, assignments: ['modules.edgeHub.heartbeat=7'], version: 'v0.1.0' };
  expect(findNotApplied(wanted, node, bare)).toEqual({ settings: [], version: undefined });
});

test('restart delays that the registered service does not have are reported', () => {
  expect(asked({ restartDelaysSeconds: [5, 30] }).restartDelaysSeconds).toEqual([5, 30]);
  expect(asked({ restartDelaysSeconds: [60, 120, 300] })).toEqual({ settings: [], version: undefined });
});

import { OperatorError } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import { type PlacedFacts, planPlaced, refuseOlder } from './plan-placed.ts';
import type { Properties } from './properties.ts';

const EMPTY: Properties = new Map();
const BARE: PlacedFacts = {
  joined: false,
  foreignService: undefined,
  installedVersion: undefined,
  agentKind: 'fenestra',
};
const JOINED: PlacedFacts = { ...BARE, joined: true, installedVersion: 'v0.1.0' };
const PROPERTIES: Properties = new Map([
  ['CLOUDCORE_IP', '10.0.0.1'],
  ['TOKEN_FILE', 'C:\\my token.txt'],
]);
const FOREIGN = new OperatorError('SERVICE_CONFLICT', 'another program', { hint: 'leave it' });

test('planPlaced does nothing more on a machine that no one wants to join', () => {
  expect(planPlaced(BARE, EMPTY, '0.1.0')).toMatchObject({ kind: 'none' });
});

test('planPlaced joins with what was given', () => {
  const words = ['--cloudcore-ip', '10.0.0.1', '--token-file', 'C:\\my token.txt'];
  expect(planPlaced(BARE, PROPERTIES, '0.1.0')).toEqual({ kind: 'join', words });
});

test('planPlaced joins by a configuration alone', () => {
  expect(planPlaced(BARE, new Map([['CONFIG_FILE', 'C:\\edge.yaml']]), '0.1.0')).toEqual({
    kind: 'join',
    words: ['--config', 'C:\\edge.yaml'],
  });
});

test('planPlaced refuses to leave a machine alone that has properties for a join, but not the cloud', () => {
  expect(() => planPlaced(BARE, new Map([['NODE_NAME', 'edge-1']]), '0.1.0')).toThrow(
    'with NODE_NAME only: the cloud is missing',
  );
});

test('refuseOlder lets a newer or the same version take the place of another, and any version that of none', () => {
  for (const replaced of ['', '0.1.0', '0.2.0-rc.1', '0.2.0']) refuseOlder('0.2.0', replaced);
  expect(() => refuseOlder('0.2.0', '0.3.0')).toThrow(expect.objectContaining({ code: 'DOWNGRADE_REFUSED' }));
  expect(() => refuseOlder('0.2.0-rc.1', '0.2.0')).toThrow('v0.2.0-rc.1: it is older than v0.2.0');
});

test('planPlaced upgrades a node that is there, whatever else its properties say', () => {
  expect(planPlaced(JOINED, PROPERTIES, '0.2.0')).toEqual({ kind: 'upgrade', words: ['--version', 'v0.2.0'] });
});

test.each([
  ['runs the same version', JOINED, '0.1.0'],
  ['runs a newer version', { ...JOINED, installedVersion: 'v0.3.0' }, '0.2.0'],
  ['runs the agent of someone else', { ...JOINED, agentKind: 'upstream' }, '0.2.0'],
  ['runs something that does not say its version', { ...JOINED, installedVersion: undefined }, '0.2.0'],
  ['has a service of that name for another program', { ...BARE, foreignService: FOREIGN }, '0.2.0'],
] as const)('planPlaced leaves a node alone that %s', (_what, facts, version) => {
  expect(planPlaced(facts, PROPERTIES, version)).toMatchObject({ kind: 'none' });
});

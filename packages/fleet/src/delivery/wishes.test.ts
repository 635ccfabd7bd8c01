import type { CloudGoal, CommandEffect, NodeGoal, VersionGoal } from '../far-end/command-effect.ts';
import type { FarEndFacts } from '../far-end/messages.ts';
import { expect, test } from 'vitest';
import { judge, undoWords, versionAfter } from './wishes.ts';

const bare: FarEndFacts = {
  os: 'linux',
  arch: 'x64',
  clock: 0,
  elevated: true,
  configured: false,
  running: false,
  servers: [],
};
const joined: FarEndFacts = {
  ...bare,
  version: 'v1.2.3',
  configured: true,
  running: true,
  servers: ['10.0.0.5:10000'],
  status: { version: '1.2.3', pid: 7, startedAt: 't', reloads: 0, nodeName: 'edge-1', connected: true },
};

function joinedAt(server: string): FarEndFacts {
  return { ...joined, servers: [server] };
}

const NAMES_NOTHING = { nodeName: undefined, cloud: undefined, hubPort: undefined };
const OWN = { version: undefined, otherSource: false };

function joining(more: Partial<VersionGoal & CloudGoal> = {}): NodeGoal {
  return { kind: 'joined', ...NAMES_NOTHING, ...OWN, ...more };
}

function upgrading(more: Partial<VersionGoal> = {}): NodeGoal {
  return { kind: 'upgraded', ...OWN, ...more };
}

const removed = { kind: 'removed' } as const;
const configured = { kind: 'configured' } as const;

function joinedTo(cloud: string, hubPort?: string): NodeGoal {
  return joining({ cloud, hubPort });
}

const already = ['nothing', 'already joined as edge-1'] as const;

test.each<[NodeGoal | undefined, FarEndFacts, 'nothing' | 'change', string]>([
  [joining({ nodeName: 'edge-1', cloud: '10.0.0.5' }), joined, ...already],
  [joining({ nodeName: 'edge-1', cloud: '10.0.0.5:10000' }), joined, ...already],
  [joining({ nodeName: 'edge-2' }), joined, 'change', 'join as edge-2'],
  [joinedTo('10.0.0.6'), joined, 'change', 'join'],
  [joinedTo('10.0.0'), joined, 'change', 'join'],
  [joinedTo('0.0.0.5'), joined, 'change', 'join'],
  [joinedTo('10.0.0.5:20000'), joined, 'change', 'join'],
  [joinedTo('10.0.0.5', '20000'), joined, 'change', 'join'],
  [joinedTo('10.0.0.5', '10000'), joined, ...already],
  [joinedTo('2001:db8::5'), joinedAt('[2001:db8::5]:10000'), ...already],
  [joinedTo('cloud'), joinedAt('https://cloud:10002'), ...already],
  [joining({ version: '1.3.0' }), joined, 'change', 'join'],
  [joining(), { ...joined, running: false }, 'change', 'join'],
  [joining(), bare, 'change', 'join'],
  [upgrading({ version: 'v1.2.3' }), joined, 'nothing', 'already at v1.2.3'],
  [upgrading({ version: '1.3.0' }), joined, 'change', 'upgrade v1.2.3 to v1.3.0'],
  [upgrading({ version: '1.2.3' }), { ...joined, running: false }, 'change', 'upgrade v1.2.3 to v1.2.3'],
  [upgrading({ otherSource: true }), joined, 'change', 'upgrade v1.2.3'],
  [removed, joined, 'change', 'reset edge-1'],
  [removed, bare, 'nothing', 'no node there'],
  [configured, joined, 'change', 'keadm config set a=b'],
  [undefined, joined, 'change', 'keadm config set a=b'],
])('the goal %j is compared with the node', (goal, facts, action, summary) => {
  const node = { shownCommand: ['config', 'set', 'a=b'] };
  expect(judge({ node, effect: goal === undefined ? {} : { goal } }, facts, '1.2.3')).toEqual({ action, summary });
});

test.each<[NodeGoal | undefined, FarEndFacts, string | undefined]>([
  [joining(), bare, 'v0.2.0'],
  [joining({ version: '1.23.0' }), bare, 'v1.23.0'],
  [joining(), { ...joined, version: '0.1.0' }, undefined],
  [joining(), { ...joined, version: '0.2.0' }, 'v0.2.0'],
  [joining({ otherSource: true }), bare, undefined],
  [upgrading(), joined, 'v0.2.0'],
  [upgrading({ version: 'v0.3.0', otherSource: true }), joined, 'v0.3.0'],
  [configured, joined, 'v1.2.3'],
  [removed, joined, 'none'],
  [undefined, joined, undefined],
])('the goal %j leads to a version that is known beforehand, or not', (goal, facts, version) => {
  expect(versionAfter(goal, facts, '0.2.0')).toBe(version);
});

interface Before {
  readonly node?: CommandEffect['node'];
  readonly root?: string;
  readonly prepared?: boolean;
}

function undo(
  method: CommandEffect['undo'],
  state: 'absent' | 'running',
  { node: kind = 'edge', root, prepared = false }: Before = {},
): readonly string[] {
  const node = { name: 'n', shownCommand: ['backup', '--dir', '/x'] };
  const notes = { prepared: String(prepared) };
  return undoWords(
    { node, effect: { node: kind, undo: method, root } },
    { state, installedVersion: 'v1.0.0', notes },
    { configBefore: '/b' },
  );
}

test('each command is undone in its own way, or it is said why not', () => {
  expect(undo('rollback', 'running', { root: '/r' })).toEqual(['rollback', 'v1.0.0', '--root', '/r']);
  expect(undo('reset', 'absent')).toEqual(['reset', '--force']);
  expect(undo('configuration', 'running')).toEqual(['config', 'apply', '/b']);
  expect(() => undo('reset', 'running')).toThrow('had a node already');
  expect(() => undo('rejoin', 'running')).toThrow('has to join again');
  expect(() => undo('none', 'running')).toThrow('there is no rollback for "keadm backup"');
});

test('a worker goes back to its version, or is reset and keeps the programs that were there before it', () => {
  const worker = { node: 'worker', root: '/r' } as const;
  const back = ['kube', 'upgrade', '--version', 'v1.0.0', '--skip-check', 'all', '--root', '/r'];
  expect(undo('rollback', 'running', worker)).toEqual(back);
  expect(undo('reset', 'absent', worker)).toEqual(['kube', 'reset', '--force', '--root', '/r']);
  const prepared = ['kube', 'reset', '--force', '--keep-programs', '--root', '/r'];
  expect(undo('reset', 'absent', { ...worker, prepared: true })).toEqual(prepared);
});

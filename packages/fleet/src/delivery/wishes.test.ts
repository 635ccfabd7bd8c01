import type { FarEndFacts } from '../far-end/messages.ts';
import { expect, test } from 'vitest';
import { commandKind, judge, undoWords } from './wishes.ts';

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

function verdict(command: string, facts: FarEndFacts) {
  return judge({ shownCommand: command.split(' ') }, facts, '1.2.3');
}

test.each([
  ['join -i edge-1 --cloudcore-ip 10.0.0.5', joined, 'nothing', 'already joined as edge-1'],
  ['join -i edge-1 --cloudcore-ipport 10.0.0.5:10000', joined, 'nothing', 'already joined as edge-1'],
  ['join -i edge-2', joined, 'change', 'join as edge-2'],
  ['join --cloudcore-ip 10.0.0.6', joined, 'change', 'join'],
  ['join --cloudcore-ip 10.0.0', joined, 'change', 'join'],
  ['join --cloudcore-ip 0.0.0.5', joined, 'change', 'join'],
  ['join --cloudcore-ipport 10.0.0.5:20000', joined, 'change', 'join'],
  ['join --cloudcore-ip 10.0.0.5 --hub-port 20000', joined, 'change', 'join'],
  ['join --cloudcore-ip 10.0.0.5 --hub-port 10000', joined, 'nothing', 'already joined as edge-1'],
  ['join --cloudcore-ip 2001:db8::5', joinedAt('[2001:db8::5]:10000'), 'nothing', 'already joined as edge-1'],
  ['join --cloudcore-ip cloud', joinedAt('https://cloud:10002'), 'nothing', 'already joined as edge-1'],
  ['join --version 1.3.0', joined, 'change', 'join'],
  ['join', { ...joined, running: false }, 'change', 'join'],
  ['join', bare, 'change', 'join'],
  ['upgrade --version v1.2.3', joined, 'nothing', 'already at v1.2.3'],
  ['upgrade edge --toVersion 1.3.0', joined, 'change', 'upgrade v1.2.3 to v1.3.0'],
  ['upgrade --version 1.2.3', { ...joined, running: false }, 'change', 'upgrade v1.2.3 to v1.2.3'],
  ['upgrade --from /x', joined, 'change', 'upgrade v1.2.3'],
  ['reset', joined, 'change', 'reset edge-1'],
  ['reset', bare, 'nothing', 'no node there'],
  ['config set a=b', joined, 'change', 'keadm config set a=b'],
] as const)('%s', (command, facts, action, summary) => {
  expect(verdict(command, facts)).toEqual({ action, summary });
});

test('what changes the settings alone is distinguished', () => {
  expect(commandKind(['upgrade', '--config', 'x.yaml'])).toBe('config');
  expect(commandKind(['config', 'view'])).toBe('other');
  expect(commandKind(['config-update', '--set', 'a=b'])).toBe('config');
});

function undo(command: string, state: 'absent' | 'running'): readonly string[] {
  const node = { name: 'n', shownCommand: command.split(' ') };
  return undoWords(node, { state, installedVersion: 'v1.0.0' }, { configBefore: '/b' });
}

test('each command is undone in its own way, or it is said why not', () => {
  expect(undo('upgrade --version 2 --root /r', 'running')).toEqual(['rollback', 'v1.0.0', '--root', '/r']);
  expect(undo('join', 'absent')).toEqual(['reset', '--force']);
  expect(undo('config set a=b', 'running')).toEqual(['config', 'apply', '/b']);
  expect(() => undo('join', 'running')).toThrow('had a node already');
  expect(() => undo('reset', 'running')).toThrow('has to join again');
  expect(() => undo('backup --dir /x', 'running')).toThrow('there is no rollback for "keadm backup"');
});

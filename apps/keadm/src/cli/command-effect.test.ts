import { commandWords } from '@fenestra/fleet/far-end';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { effectInMemory, environmentInMemory } from '../testing/keadm-in-memory.ts';
import { NodeCommand } from './node-command.ts';
import { buildProgram } from './program.ts';
import { visibleCommands } from './reference.ts';
import { commandPath } from './report-error.ts';

const NAMES_NOTHING = { nodeName: undefined, cloud: undefined, hubPort: undefined };
const OWN = { version: undefined, otherSource: false };

test.each([
  ['join', { ...OWN, ...NAMES_NOTHING }],
  ['join -i edge-1 --cloudcore-ip 10.0.0.5', { nodeName: 'edge-1', cloud: '10.0.0.5' }],
  ['join --edgenode-name=a=b -e10.0.0.5:10000', { nodeName: 'a=b', cloud: '10.0.0.5:10000' }],
  ['join --hub-port 20000 --kubeedge-version 1.23.0', { hubPort: '20000', version: '1.23.0', otherSource: false }],
  ['join --tarballpath=/media', { version: undefined, otherSource: true }],
  ['join --token *** --hub-port *** -i n', { hubPort: '***', nodeName: 'n' }],
  ['join --option-of-another-version x -i n', { nodeName: 'n' }],
])('%s makes the machine a node', async (line, goal) => {
  const expected = { needsElevation: true, leavesAgent: true, undo: 'reset', goal: { kind: 'joined', ...goal } };
  expect(await effectOf(line)).toMatchObject(expected);
});

test.each([
  ['upgrade --version v1.2.3', { version: 'v1.2.3', otherSource: false }],
  ['upgrade edge --toVersion 1.3.0', { version: '1.3.0', otherSource: false }],
  ['upgrade --from /x', { version: undefined, otherSource: true }],
])('%s is undone by a rollback', async (line, goal) => {
  const expected = { needsElevation: true, leavesAgent: true, undo: 'rollback', goal: { kind: 'upgraded', ...goal } };
  expect(await effectOf(line)).toMatchObject(expected);
});

test.each([
  'upgrade --config x.yaml',
  'config set a=b',
  'config apply x.yaml --output json',
  'config-update --set a=b',
])('%s changes the configuration alone', async (line) => {
  const expected = { leavesAgent: true, undo: 'configuration', goal: { kind: 'configured' } };
  expect(await effectOf(line)).toMatchObject(expected);
});

test.each(['reset', 'reset edge --force'])('%s cannot be undone, and asks no question', async (line) => {
  const expected = { leavesAgent: false, undo: 'rejoin', goal: { kind: 'removed' }, unattended: ['--force'] };
  expect(await effectOf(line)).toMatchObject(expected);
});

test.each(['reset', 'kube reset'])('in a batch, a reset is not asked about: %s', async (line) => {
  const { needsElevation, unattended } = await effectOf(line);
  expect(needsElevation).toBe(true);
  expect(commandWords(line.split(' '), unattended).argv).toEqual([...line.split(' '), '--force', '--output', 'json']);
});

test.each([
  ['backup --dir /x --root /r', true, '/r'],
  ['backup list --root=r', true, 'r'],
  ['config view', true, undefined],
  ['kube status --root /r', false, '/r'],
  ['history', false, undefined],
  ['history --root /r -o json', false, '/r'],
])('%s needs elevation: %s, below %s', async (line, needsElevation, root) => {
  const effect = await effectOf(line);
  expect(effect).toMatchObject({ needsElevation, leavesAgent: false, undo: 'none', root });
  expect(effect.goal).toBeUndefined();
});

test.each([
  ['kube join 10.0.0.5:6443 --token t --root /r', { leavesAgent: true, undo: 'reset' }],
  ['kube upgrade --version v1.33.1 --from /x --root /r', { leavesAgent: true, undo: 'rollback' }],
  ['kube reset --root /r', { leavesAgent: false, undo: 'rejoin' }],
  ['kube prepare --root=/r', { leavesAgent: false, undo: 'none' }],
])('%s is judged on the machine itself', async (line, effect) => {
  const expected = { node: 'worker', previewed: true, needsElevation: true, root: '/r' };
  expect(await effectOf(line)).toMatchObject({ ...expected, ...effect });
  expect(await effectOf(`${line} --dry-run`)).toMatchObject({ ...expected, previewed: false, leavesAgent: false });
});

test.each(['rollback v1.0.0', 'restore --dir /x'])('%s leaves an agent', async (line) => {
  expect(await effectOf(line)).toMatchObject({ needsElevation: true, leavesAgent: true, undo: 'none' });
});

test('a dry run leaves no agent, and its goal is not judged', async () => {
  const effect = await effectOf('join -i n --dry-run');
  expect(effect).toEqual({
    node: 'edge',
    previewed: false,
    needsElevation: true,
    leavesAgent: false,
    undo: 'reset',
    root: undefined,
  });
});

test.each(['frobnicate', 'kube joyn', 'config set', 'upgrade --version', 'help join', 'constructor'])(
  '%s, which keadm rejects, has no effect',
  async (line) => {
    expect(await effectOf(line)).toMatchObject({ needsElevation: false, leavesAgent: false, undo: 'none' });
  },
);

test('every command that changes a node declares its effect', async () => {
  const environment = environmentInMemory({ out: () => {}, err: () => {} });
  const program = await buildProgram([], environment, { deliver: () => {}, writeHelp: () => {} });
  const undeclared = visibleCommands(program).filter((each) => changesNode(each) && !(each instanceof NodeCommand));
  expect(undeclared.map(commandPath)).toEqual([]);
});

function changesNode({ options }: Command): boolean {
  return options.some(({ long }) => long === '--pre-run');
}

async function effectOf(line: string) {
  return effectInMemory(line.split(' '));
}

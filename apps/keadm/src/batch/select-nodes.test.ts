import { parseBatch, type BatchNode } from '@fenestra/fleet';
import { expect, test } from 'vitest';
import { selectNodes } from './select-nodes.ts';

const FILE = `
defaults: { keadmCmd: version, ssh: { username: root, auth: { type: password, passwordAuth: { password: env:PW } } } }
groups:
  north: { labels: { region: north } }
nodes:
  - { nodeName: a, groups: north, ssh: { ip: 192.0.2.1 } }
  - { nodeName: b, groups: north, labels: { kind: shop }, ssh: { ip: 192.0.2.2 } }
  - { nodeName: c, labels: { kind: shop }, ssh: { ip: 192.0.2.3 } }
`;

async function nodes(): Promise<readonly BatchNode[]> {
  const source = { text: FILE, path: 'batch.yaml', readableByOthers: false };
  return (await parseBatch(source, { variables: {} })).nodes;
}

test.each([
  [{ only: [], select: [] }, ['a', 'b', 'c']],
  [{ only: ['c', 'a'], select: [] }, ['a', 'c']],
  [{ only: [], select: ['region=north'] }, ['a', 'b']],
  [{ only: [], select: ['region=north', 'kind=shop'] }, ['b']],
  [{ only: ['b', 'c'], select: ['kind=shop'] }, ['b', 'c']],
])('%j are the nodes %j, in the order of the file', async (selection, names) => {
  expect(selectNodes(await nodes(), selection).map(({ name }) => name)).toEqual(names);
});

test.each([
  [{ only: ['x', 'a', 'y'], select: [] }, 'Cannot find in the file: "x", "y"'],
  [{ only: [], select: ['region'] }, 'Cannot use "region" as a label'],
  [{ only: [], select: ['region=west'] }, 'No node of the file has the labels "region=west"'],
])('%j are refused', async (selection, message) => {
  const all = await nodes();
  expect(() => selectNodes(all, selection)).toThrow(message);
});

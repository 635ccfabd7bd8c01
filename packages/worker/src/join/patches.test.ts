import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keptPatches } from '../worker-record.ts';
import { choosePatches } from './patches.ts';

const membership = { nodeName: 'w', endpoint: 'e', server: 's', caSha256: 'c', criSocket: 'r' };
const content = { maxPods: 7 };
const patch = {
  source: 'kubeletconfiguration+merge.json',
  target: 'kubeletconfiguration',
  type: 'merge',
  content,
} as const;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'patches-'));
  await writeFile(join(folder, 'kubeletconfiguration9+merge.json'), '{"maxPods":9}');
});
afterAll(async () => rm(folder, { recursive: true, force: true }));

test('without "--patches" a worker keeps those it joined with, and says so', async () => {
  const kept = { ...membership, ...keptPatches([patch, { ...patch, target: 'etcd' }]) };
  const { patches, warnings } = await choosePatches(undefined, kept);
  expect(patches).toEqual([patch]);
  expect(warnings).toEqual([expect.stringContaining(`"${patch.source}"`)]);
});

test('a worker that has none needs no word about them', async () => {
  expect(await choosePatches(undefined, { ...membership, ...keptPatches([]) })).toEqual({ patches: [], warnings: [] });
});

test('patches that are given come instead of those that were there', async () => {
  const { patches } = await choosePatches(folder, { ...membership, patches: [patch] });
  expect(patches.map(({ content: wanted }) => wanted)).toEqual([{ maxPods: 9 }]);
});

test('of a worker that others joined no one knows, and that is said', async () => {
  expect(await choosePatches(undefined, undefined)).toEqual({
    patches: [],
    warnings: [expect.stringContaining('"--patches"')],
  });
});

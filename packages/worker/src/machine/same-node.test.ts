import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeTestCa } from '../discovery/testing/test-ca.ts';
import { clusterCa, judgeNode } from './same-node.ts';

const NO_CAS = { ownCa: undefined, theirCa: undefined };
const [ours, theirs] = [{ uid: 'ours' }, { uid: 'theirs' }];
let [ownCa, otherCa] = ['', ''];

beforeAll(async () => {
  [ownCa, otherCa] = [(await makeTestCa()).certificate, (await makeTestCa()).certificate];
});

test('a node of the same name in another cluster is not mistaken for this machine', () => {
  expect(judgeNode({ own: ours, theirs, ...NO_CAS })).toBe('other');
  expect(judgeNode({ own: undefined, theirs, ...NO_CAS })).toBe('other');
  expect(judgeNode({ own: ours, theirs: undefined, ...NO_CAS })).toBe('other');
});

test('the same node, and no node in either cluster, are fine', () => {
  expect(judgeNode({ own: ours, theirs: ours, ...NO_CAS })).toBe('same');
  expect(judgeNode({ own: undefined, theirs: undefined, ...NO_CAS })).toBe('same');
});

test('where its own cluster does not answer, a machine knows it by its CA, and not by a name', () => {
  const silent = { own: 'unknown', theirs, ownCa } as const;
  expect(judgeNode({ ...silent, theirCa: otherCa })).toBe('other');
  expect(judgeNode({ ...silent, theirCa: `${otherCa}${ownCa}` })).toBe('same');
});

test('without a CA to compare no one knows, unless there is no node to lose', () => {
  const silent = { own: 'unknown', ownCa, theirCa: undefined } as const;
  expect(judgeNode({ ...silent, theirs })).toBe('unknown');
  expect(judgeNode({ ...silent, theirs, ownCa: undefined, theirCa: otherCa })).toBe('unknown');
  expect(judgeNode({ ...silent, theirs: undefined })).toBe('same');
});

const PEM = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cluster-ca-'));
  await writeFile(join(folder, 'ca.crt'), PEM);
});
afterAll(async () => rm(folder, { recursive: true, force: true }));

async function caOf(cluster: Readonly<Record<string, string>>): Promise<string | undefined> {
  const path = join(folder, 'kubeconfig');
  const config = { 'current-context': 'c', contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }] };
  const clusters = [{ name: 'k', cluster: { server: 'https://k:6443', ...cluster } }];
  await writeFile(path, JSON.stringify({ ...config, clusters }));
  return clusterCa(path);
}

test('a CA is found in a kubeconfig, and in the file beside it that it names', async () => {
  expect(await caOf({ 'certificate-authority-data': Buffer.from(PEM).toString('base64') })).toBe(PEM);
  expect(await caOf({ 'certificate-authority': 'ca.crt' })).toBe(PEM);
});

test('what says nothing, or cannot be read, has none', async () => {
  expect(await caOf({})).toBeUndefined();
  expect(await caOf({ 'certificate-authority': 'gone.crt' })).toBeUndefined();
  expect(await clusterCa(join(folder, 'no-such-file'))).toBeUndefined();
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clusterCa } from './cluster-ca.ts';

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

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lookAtNetworkFiles } from './network-files.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'network-files-'));
  for (const name of ['10-mine.conf', '10-flannel.conflist', '87-podman.conflist'])
    await writeFile(join(folder, name), '{}');
});
afterAll(async () => rm(folder, { recursive: true, force: true }));

const keptSince = async (cniConfigs: readonly string[] | undefined): Promise<readonly string[]> => {
  const found = cniConfigs === undefined ? undefined : { networks: [], cniConfigs };
  return (await lookAtNetworkFiles({ cniConfigFolder: folder }, found)).map(({ path }) => path);
};

test('what network plugins and others have brought since the join is told; what was there before is not', async () => {
  const come = ['10-flannel.conflist', '87-podman.conflist'];
  expect(await keptSince(['10-mine.conf'])).toEqual(come.map((name) => join(folder, name)));
});

test('on a worker that others joined nobody knows what came when', async () => {
  expect(await keptSince(undefined)).toHaveLength(3);
});

test('a machine without such a folder has none', async () => {
  expect(await lookAtNetworkFiles({ cniConfigFolder: join(folder, 'none') }, undefined)).toEqual([]);
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperatorError } from '@fenestra/kernel';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { judgeNetworks, lookAtNetworkFiles, lookAtNetworks } from './pod-networks.ts';

const overlay = { id: 'A1', name: 'flannel.4096', type: 'Overlay' };
const bridge = { id: 'B2', name: 'cbr0', type: 'L2Bridge' };
const docker = { id: 'C3', name: 'nat', type: 'nat' };
const hyperV = { id: 'D4', name: 'Default Switch', type: 'ICS' };

test('networks of pods that came since the join go; those that were there before stay, however their ids are written', () => {
  expect(judgeNetworks([overlay, bridge], ['a1']).goes).toEqual([bridge]);
});

test('networks of Docker and Hyper-V stay although they came after the join, and that is reported', () => {
  const { goes, kept } = judgeNetworks([overlay, docker, hyperV], []);
  expect(goes).toEqual([overlay]);
  expect(kept.map(({ path }) => path)).toEqual([
    'the container network "nat"',
    'the container network "Default Switch"',
  ]);
});

async function list(): Promise<never> {
  throw new OperatorError('SYSTEM_CALL_FAILED', 'Cannot list it', { hint: 'Start it.' });
}

test('a networking service that does not answer holds no reset up', async () => {
  const found = { networks: [], cniConfigs: [] };
  expect(await lookAtNetworks({ list }, found)).toEqual({
    goes: [],
    kept: [{ path: 'the networks of containers', why: 'Cannot list it' }],
  });
  expect(await lookAtNetworks({ list }, undefined)).toEqual({ goes: [], kept: [] });
});

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

test('what network plugins and others have brought since the join is reported; what was there before is not', async () => {
  const come = ['10-flannel.conflist', '87-podman.conflist'];
  expect(await keptSince(['10-mine.conf'])).toEqual(come.map((name) => join(folder, name)));
});

test('on a worker that others joined no one knows what came when', async () => {
  expect(await keptSince(undefined)).toHaveLength(3);
});

test('a machine without such a folder has none', async () => {
  expect(await lookAtNetworkFiles({ cniConfigFolder: join(folder, 'none') }, undefined)).toEqual([]);
});

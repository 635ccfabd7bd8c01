import { accessSync, constants, existsSync, mkdtempSync } from 'node:fs';
import { mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { podHostContract } from '@fenestra/platform/contract';
import { afterAll, expect, test } from 'vitest';
import { testContract } from '../testing/contract-tests.ts';
import { linuxPodHost } from './linux-pod-host.ts';
import { canStayOutOfSwap } from './mounts.ts';

const folder = mkdtempSync(join(tmpdir(), 'fenestra-pod-host-'));
// Also after a test that failed with something mounted.
afterAll(async () => host.removeFolder(folder, AbortSignal.timeout(30_000)));

const isRoot = process.getuid?.() === 0;
const host = linuxPodHost();
const ONLY_ROOT = {
  folders: 'Mounting needs root',
  memory: 'Mounting needs root',
  holding: 'Mounting needs root',
  owners: 'Giving files away needs root',
};

testContract(
  podHostContract({
    host,
    folder,
    cannotShow: {
      ...(!isRoot && ONLY_ROOT),
      ...(!canMakeCgroups() && { cgroups: 'The control groups of this machine cannot be changed' }),
    },
  }),
  30_000,
);

test.skipIf(!isRoot)('a folder below a link is removed without what is mounted in it', async () => {
  const real = join(folder, 'real');
  await mkdir(real);
  await symlink(real, join(folder, 'link'));
  const volume = join(folder, 'volume');
  await mkdir(volume);
  await writeFile(join(volume, 'file'), 'kept');
  const { signal } = new AbortController();
  const pod = join(folder, 'link', 'pod');
  await host.openVolumePart({ volume, path: '.', target: join(pod, 'part'), create: false }, signal);
  expect(await readFile(join(real, 'pod', 'part', 'file'), 'utf8')).toBe('kept');
  await host.removeFolder(pod, signal);
  expect(await readFile(join(volume, 'file'), 'utf8')).toBe('kept');
});

test.skipIf(!isRoot)('a container that exchanges a folder for a link all the time never gets out', async () => {
  const [volume, outside] = [join(folder, 'raced'), join(folder, 'outside')];
  await mkdir(join(volume, 'part'), { recursive: true });
  await mkdir(outside);
  await writeFile(join(outside, 'secret'), 'secret');
  await symlink(outside, join(volume, 'link'));
  const { signal } = new AbortController();
  const ending = new AbortController();
  const exchanging = (async () => {
    while (!ending.signal.aborted) {
      await rename(join(volume, 'part'), join(volume, 'folder'));
      await rename(join(volume, 'link'), join(volume, 'part'));
      await rename(join(volume, 'part'), join(volume, 'link'));
      await rename(join(volume, 'folder'), join(volume, 'part'));
    }
  })();
  const held = join(folder, 'raced-parts');
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const target = join(held, String(attempt));
    const opened = host.openVolumePart({ volume, path: 'part/secret', target, create: false }, signal);
    await expect(opened).rejects.toThrow('Cannot open "part/secret" in the volume');
  }
  ending.abort();
  await exchanging;
  await host.removeFolder(held, signal);
});

test.each([
  ['5.15.0-91-generic', false],
  ['6.3.9', false],
  ['6.4.0-rc1', true],
  ['7.0.1', true],
])('kernel %s keeps memory folders out of swap: %s', (kernel, can) => {
  expect(canStayOutOfSwap(kernel)).toBe(can);
});

function canMakeCgroups(): boolean {
  try {
    const unified = '/sys/fs/cgroup/cgroup.subtree_control';
    accessSync(existsSync(unified) ? unified : '/sys/fs/cgroup/memory', constants.W_OK);
    return isRoot;
  } catch {
    return false;
  }
}

/** What is below the pods fails: the runtime hangs, its socket is gone, the disk is full, an image is damaged. */
import { globSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type JsonObject, KINDS, stringAt } from '@fenestra/kube-api';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { requirePackages } from '../../support/beds/debian-packages.ts';
import { damage, serveImage } from '../../support/beds/served-image.ts';
import { PATIENCE } from '../../support/cloud/patience.ts';
import { conditionOf, type PodCloud, POD_NODE, startPodCloud, untilNodeReady } from '../../support/cloud/pod-cloud.ts';
import { restartCounts, SLEEP, type TestPods, testPods } from '../../support/cloud/test-pods.ts';
import { isShortRun } from '../../support/reporting/short-run.ts';

const { signal } = new AbortController();
const HANGS_MS = isShortRun() ? 0 : 60_000;
/** A registry is asked again after 10 s, 20 s and 40 s. */
const AFTER_BACKOFF = { timeout: 3 * 60_000, interval: 250 };

/** A system that is another one in every image, so that the runtime has none of it. */
async function fillSystem(root: string): Promise<void> {
  await mkdir(join(root, 'bin'));
  await copyFile('/bin/busybox', join(root, 'bin/busybox'));
  await copyFile('/bin/busybox', join(root, 'bin/sh'));
  await copyFile('/bin/busybox', join(root, 'bin/sleep'));
  await writeFile(join(root, 'marker'), String(Math.random()));
}

/** The field of an ELF file that says for which processor it is, and the number of RISC-V. */
const [MACHINE, RISC_V] = [18, 243];

async function fillForeign(root: string): Promise<void> {
  await fillSystem(root);
  const shell = await readFile(join(root, 'bin/sh'));
  shell.writeUInt16LE(RISC_V, MACHINE);
  await writeFile(join(root, 'bin/sh'), shell);
}

describe('faults below the pods', () => {
  let cloud: PodCloud;
  let pods: TestPods;
  beforeAll(async () => {
    cloud = await startPodCloud(signal);
    pods = testPods(cloud);
  });
  afterAll(async () => cloud?.stop());

  async function remove(...names: readonly string[]): Promise<void> {
    for (const name of names) await pods.delete(name);
    for (const name of names) await pods.untilGone(name);
  }

  async function untilRuntimeIsDown(why: RegExp): Promise<void> {
    await vi.waitFor(async () => {
      const ready = conditionOf(await cloud.api.get(KINDS.node, { name: POD_NODE }, signal), 'Ready');
      expect(ready).toMatchObject({ status: 'False', message: expect.stringMatching(why) });
    }, PATIENCE);
  }

  async function containerIds(name: string): Promise<readonly string[]> {
    return (await pods.containersOf(name)).map(({ id }) => id);
  }

  test('a runtime that hangs is reported, and afterwards all is as it should be', async () => {
    await pods.runScript('before', SLEEP);
    await pods.runScript('deleted', SLEEP);
    for (const name of ['before', 'deleted']) await pods.untilRunning(name);
    const ids = await containerIds('before');
    cloud.runtime.freeze();
    try {
      const hung = delay(HANGS_MS);
      await pods.runScript('during-hang', SLEEP);
      await pods.delete('deleted', 1);
      await untilRuntimeIsDown(/^container runtime is down: /);
      await hung;
    } finally {
      cloud.runtime.thaw();
    }
    await untilNodeReady(cloud);
    await pods.untilRunning('during-hang');
    await pods.untilGone('deleted');
    expect(await containerIds('before')).toEqual(ids);
    expect(await containerIds('during-hang')).toHaveLength(1);
    for (const name of ['before', 'during-hang']) expect(restartCounts(await pods.find(name))).toEqual({ main: 0 });
    await remove('before', 'during-hang');
  });

  test.skipIf(isShortRun())(
    'an agent that does not find the socket of the runtime says so, and its pods run on',
    async () => {
      await pods.runScript('without-socket', SLEEP);
      await pods.untilRunning('without-socket');
      const ids = await containerIds('without-socket');
      const socket = cloud.runtime.endpoint.replace('unix://', '');
      await rm(socket);
      await cloud.killAgent();
      await cloud.startAgent();
      await untilRuntimeIsDown(/containerd\.sock/);
      await cloud.runtime.kill();
      await cloud.runtime.start();
      await untilNodeReady(cloud);
      await pods.untilRunning('without-socket');
      expect(await containerIds('without-socket')).toEqual(ids);
      expect(restartCounts(await pods.find('without-socket'))).toEqual({ main: 0 });
      await remove('without-socket');
    },
  );

  async function untilPullFails(name: string, why: RegExp): Promise<void> {
    const waiting = { reason: 'ImagePullBackOff', message: expect.stringMatching(why) };
    await pods.untilStatus(name, { phase: 'Pending', containerStatuses: [{ state: { waiting } }] });
  }

  test('an image whose content is damaged is not run, and is pulled again when it is whole', async () => {
    const { name, layer } = await serveImage(cloud.runtime, 'damaged', { config: {}, fill: fillSystem }, signal);
    await damage(layer);
    await pods.runScript('damaged', SLEEP, {}, { image: name });
    await untilPullFails('damaged', /digest|verif/);
    await damage(layer);
    await pods.untilStatus('damaged', { phase: 'Running' }, AFTER_BACKOFF.timeout);
    await remove('damaged');
  });

  test('an image for another processor does not run, and the log of its container says why', async () => {
    const { name } = await serveImage(cloud.runtime, 'riscv', { config: {}, fill: fillForeign }, signal);
    await pods.runScript('riscv', SLEEP, {}, { image: name });
    const waiting = { reason: 'CrashLoopBackOff' };
    await pods.untilStatus('riscv', { containerStatuses: [{ ready: false, state: { waiting } }] });
    expect(await pods.output('riscv')).toContain('exec format error');
    await remove('riscv');
  });

  /** Moves a folder of the machine to a disk of its own, with little room left. */
  const ON_SMALL_DISK = `cp -a "$1" "$1.moved" && mount -t tmpfs tmpfs "$1" && cp -a "$1.moved/." "$1" &&
mount -o remount,size=$(($(du -sk "$1" | cut -f 1) + 64))k "$1"`;

  test.skipIf(isShortRun())('an image that does not fit on the disk is pulled when there is room', async () => {
    const content = join(cloud.runtime.folder, 'root/io.containerd.content.v1.content');
    const { name } = await serveImage(cloud.runtime, 'large', { config: {}, fill: fillSystem }, signal);
    await cloud.run(['sh', '-c', ON_SMALL_DISK, 'sh', content]);
    await pods.runScript('no-room', SLEEP, {}, { image: name });
    await untilPullFails('no-room', /no space left on device/);
    await pods.runScript('other', SLEEP);
    await pods.untilRunning('other');
    await cloud.runtime.cage.mount(['-o', 'remount,size=64m', content], signal);
    await pods.untilStatus('no-room', { phase: 'Running' }, AFTER_BACKOFF.timeout);
    await remove('no-room', 'other');
  });

  const BIG = 100_000;

  function textsOf(letter: string): JsonObject {
    return { data: { a: letter.repeat(BIG), b: letter.repeat(BIG) } };
  }

  async function change(letter: string): Promise<void> {
    const at = { namespace: 'default', name: 'texts' };
    await cloud.api.patch(KINDS.configMap, at, { type: 'merge', body: textsOf(letter) }, signal);
  }

  test.skipIf(isShortRun())(
    'volumes that do not fit on the disk are written when there is room, and keep what they show until then',
    async () => {
      const folder = join(cloud.nodeRoot, 'var/lib/kubelet/pods');
      const [fill, full] = [join(folder, 'fill'), `dd if=/dev/zero of=${join(folder, 'fill')} bs=4k; true`];
      await cloud.runtime.cage.mount(['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], signal);
      await cloud.run(['sh', '-c', full]);
      const metadata = { name: 'texts', namespace: 'default' };
      await cloud.api.create(
        KINDS.configMap,
        { apiVersion: 'v1', kind: 'ConfigMap', metadata, ...textsOf('a') },
        signal,
      );
      const volumes = [{ name: 'texts', configMap: { name: 'texts' } }];
      await pods.runScript('full', SLEEP, { volumes }, { volumeMounts: [{ name: 'texts', mountPath: '/texts' }] });
      await expect.poll(async () => cloud.agentLog(), PATIENCE).toMatch(/default\/full".*ENOSPC/);
      await pods.untilStatus('full', { phase: 'Pending' });
      await cloud.run(['rm', fill]);
      await pods.untilRunning('full');
      const shown = async (): Promise<string> =>
        pods.exec('full', 'cat /texts/a /texts/b | tr -s ab; wc -c < /texts/b');
      expect(await shown()).toBe(`a${BIG}\n`);

      await cloud.run(['sh', '-c', full]);
      await change('b');
      await expect.poll(async () => cloud.agentLog(), PATIENCE).toMatch(/Cannot update the volumes of a pod.*ENOSPC/);
      expect(await shown()).toBe(`a${BIG}\n`);
      await cloud.run(['rm', fill]);
      await vi.waitFor(async () => expect(await shown()).toBe(`b${BIG}\n`), AFTER_BACKOFF);
      await remove('full');
      await cloud.run(['umount', '--lazy', folder]);
    },
  );

  /** Starts the agent with a clock that a file moves, such as by `+1d`; clocks that only count are right. */
  async function startAgentWithClock(file: string): Promise<void> {
    await requirePackages(['libfaketime'], signal);
    const [library = ''] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');
    const clock = [`LD_PRELOAD=${library}`, `FAKETIME_TIMESTAMP_FILE=${file}`, 'FAKETIME_NO_CACHE=1'];
    const agent = [join(cloud.nodeRoot, 'usr/local/bin/edgecore'), '--config'];
    const configuration = join(cloud.nodeRoot, 'etc/kubeedge/config/edgecore.yaml');
    const argv = ['env', ...clock, 'FAKETIME_DONT_FAKE_MONOTONIC=1', ...agent, configuration];
    cloud.runtime.cage.spawn(argv, { stdio: 'ignore' });
  }

  test.skipIf(isShortRun())('a clock that jumps a day ahead and back restarts nothing and delays nothing', async () => {
    const file = join(cloud.runtime.folder, 'clock');
    await writeFile(file, '+0d');
    await cloud.killAgent();
    await startAgentWithClock(file);
    await pods.runScript('steady', SLEEP);
    await pods.untilRunning('steady');
    const ids = await containerIds('steady');

    await writeFile(file, '+1d');
    const volumes = [{ name: 'late', configMap: { name: 'late' } }];
    await pods.runScript('waiting', SLEEP, { volumes });
    await pods.runScript('during', SLEEP);
    await pods.untilRunning('during');
    await pods.untilStatus('waiting', { phase: 'Pending' });
    const startTime = stringAt(await pods.find('during'), 'status', 'startTime');
    expect(Date.parse(startTime) - Date.now()).toBeGreaterThan(80_000_000);

    await writeFile(file, '+0d');
    const late = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'late', namespace: 'default' } };
    await cloud.api.create(KINDS.configMap, { ...late, data: { a: 'x' } }, signal);
    await pods.untilStatus('waiting', { phase: 'Running' }, AFTER_BACKOFF.timeout);
    await pods.runScript('after', SLEEP);
    await pods.untilRunning('after');
    expect(await containerIds('steady')).toEqual(ids);
    for (const name of ['steady', 'during', 'waiting', 'after'])
      expect(restartCounts(await pods.find(name))).toEqual({ main: 0 });
    await remove('steady', 'during', 'waiting', 'after');
    await cloud.killAgent();
    await cloud.startAgent();
  });
});

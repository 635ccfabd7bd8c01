import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { ourExecutable } from '../../../bench/executables.ts';
import { type ContainerdRelease, type PodRuntime, startPodRuntime } from '../../support/beds/pod-runtime.ts';
import { PAUSE_IMAGE } from '../../support/beds/test-images.ts';
import { PATIENCE } from '../../support/cloud/patience.ts';
import { startPodCloud } from '../../support/cloud/pod-cloud.ts';

const { signal } = new AbortController();

const Finding = z.looseObject({
  name: z.string(),
  verdict: z.string(),
  reason: z.string(),
  remedy: z.string().optional(),
});
const Answer = z.looseObject({
  checks: z.array(Finding).default([]),
  error: z.looseObject({ code: z.string(), message: z.string(), hint: z.string() }).optional(),
});

/** A token of the right form for a cloud that is not asked. */
const TOKEN = [
  '0'.repeat(64),
  ...[{ alg: 'HS256' }, { exp: 4e9 }].map((part) => btoa(JSON.stringify(part)).replaceAll('=', '')),
  'c2ln',
].join('.');
const POD_CHECKS = ['container-runtime', 'features', 'cgroup-driver', 'oom-scores', 'pause-image', 'pod-network'];

test('doctor on a node that has joined makes the same checks with its configuration', async () => {
  const cloud = await startPodCloud(signal);
  try {
    const words = ['doctor', '--root', cloud.nodeRoot, '--output', 'json'];
    const { stdout } = await cloud.runtime.cage.run([join(cloud.runtime.folder, 'keadm'), ...words], {}, signal);
    const { checks } = Answer.parse(JSON.parse(stdout));
    const ofPods = checks.filter(({ name }) => POD_CHECKS.includes(name));
    expect(ofPods.map(({ name, verdict }) => `${name}: ${verdict}`)).toEqual(POD_CHECKS.map((name) => `${name}: pass`));
  } finally {
    await cloud.stop();
  }
});

const RELEASES: readonly ContainerdRelease[] = ['installed', 'trixie', 'sid'];
describe.each(RELEASES)('joining with containerd (%s)', (release) => {
  let runtime: PodRuntime;
  let keadm: string;
  let network: string;
  let conflist: string;
  beforeAll(async () => {
    runtime = await startPodRuntime(signal, release);
    keadm = join(runtime.folder, 'keadm');
    network = join(runtime.folder, 'cni/10-pods.conflist');
    conflist = await readFile(network, 'utf8');
    await copyFile(ourExecutable(), keadm);
  });
  afterAll(async () => runtime?.stop());

  /** What a join would find: it only plans, and asks no cloud. */
  async function plan(...more: readonly string[]): Promise<z.infer<typeof Answer>> {
    const where = ['--root', join(runtime.folder, 'node'), '--remote-runtime-endpoint', runtime.endpoint];
    const cloud = ['--cloudcore-ip', '127.0.0.1', '--token', TOKEN, '--skip-check', 'cloud'];
    const words = ['join', '--dry-run', '--output', 'json', ...where, ...cloud, ...more];
    return Answer.parse(JSON.parse((await runtime.cage.run([keadm, ...words], {}, signal)).stdout));
  }
  async function findingOf(name: string, ...more: readonly string[]): Promise<z.infer<typeof Finding> | undefined> {
    return (await plan(...more)).checks.find((finding) => finding.name === name);
  }

  test('a machine that has everything passes', async () => {
    const { checks } = await plan();
    const ofPods = checks.filter(({ name }) => POD_CHECKS.includes(name));
    expect(ofPods.map(({ name, verdict }) => `${name}: ${verdict}`)).toEqual(POD_CHECKS.map((name) => `${name}: pass`));
  });

  test('another cgroup driver than that of containerd is refused, with the option that fits', async () => {
    const { error } = await plan('--cgroupdriver', 'systemd');
    expect(error?.message).toContain('uses the cgroup driver "cgroupfs"');
    expect(error?.message).toContain('--cgroupdriver cgroupfs');
  });

  test('a network plugin that is not installed, and a network that is not configured, are warned of', async () => {
    await writeFile(network, conflist.replaceAll('"portmap"', '"no-such-plugin"'));
    const missing = expect.objectContaining({ verdict: 'warn', reason: expect.stringContaining('"no-such-plugin"') });
    await vi.waitFor(async () => expect(await findingOf('pod-network')).toEqual(missing), PATIENCE);
    await rm(network);
    const absent = { verdict: 'warn', reason: expect.stringContaining('has no network') };
    await vi.waitFor(async () => expect(await findingOf('pod-network')).toMatchObject(absent), PATIENCE);
    await writeFile(network, conflist);
    await vi.waitFor(async () => expect(await findingOf('pod-network')).toMatchObject({ verdict: 'pass' }), PATIENCE);
  });

  test('a pause image that is not there is warned of, with the command that fetches it', async () => {
    await runtime.ctr('k8s.io', ['images', 'remove', PAUSE_IMAGE]);
    await vi.waitFor(async () => expect(await findingOf('pause-image')).toMatchObject({ verdict: 'warn' }), PATIENCE);
    await runtime.ctr('k8s.io', ['images', 'import', join(runtime.folder, 'pause/image.tar')]);
    await vi.waitFor(async () => expect(await findingOf('pause-image')).toMatchObject({ verdict: 'pass' }), PATIENCE);
  });

  test('a containerd that sets scores where the machine forbids it is refused', async (context) => {
    const canSetScores = await mayLowerScores();
    context.skip(canSetScores, 'This machine allows CAP_SYS_RESOURCE');
    await runtime.kill();
    await runtime.start((text) => text.replace('restrict_oom_score_adj = true', 'restrict_oom_score_adj = false'));
    expect((await plan()).error).toMatchObject({ message: expect.stringContaining('CAP_SYS_RESOURCE') });
  });

  test('without a container runtime a join is refused, unless it is waived or the node runs no pods', async () => {
    await runtime.kill();
    expect((await plan()).error).toMatchObject({
      code: 'RUNTIME_UNUSABLE',
      hint: expect.stringContaining('containerd'),
    });
    expect((await plan('--skip-check', 'container-runtime')).error).toBeUndefined();
    const withoutPods = await plan('--set', 'modules.edged.enable=false');
    expect(withoutPods.error).toBeUndefined();
    expect(withoutPods.checks.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  });

  async function mayLowerScores(): Promise<boolean> {
    const { stdout } = await runtime.cage.run(['grep', 'CapBnd', '/proc/self/status'], {}, signal);
    return ((BigInt(`0x${stdout.split(/\s+/)[1] ?? '0'}`) >> 24n) & 1n) === 1n;
  }
});

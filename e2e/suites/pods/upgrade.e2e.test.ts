import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { AGENT_STATUS_FILE, AgentStatus, versionTag } from '@fenestra/contracts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { POD_IMAGE } from '../../support/beds/test-images.ts';
import { PATIENCE } from '../../support/cloud/patience.ts';
import { type PodCloud, startPodCloud, untilNodeReady } from '../../support/cloud/pod-cloud.ts';
import { restartCounts, scriptContainer, SLEEP, type TestPods, testPods } from '../../support/cloud/test-pods.ts';
import { KEY_FILE, RELEASES } from '../../support/releases/make-releases.ts';
import { BEHAVIOUR_PLACES, type Behaviour } from '../../support/releases/behaviour.ts';
import { testReleases } from '../../support/releases/test-releases.ts';

const { signal } = new AbortController();
const NAMES = ['one', 'two', 'three'];
/** What a good version may take on a busy machine, and what a bad one is given. */
const PATIENT = ['--wait', '240s', '--settle', '1s'];
const IMPATIENT = ['--wait', '60s', '--settle', '1s'];

const LIMIT_MS = 8 * 60_000;

let cloud: PodCloud;
let pods: TestPods;
let releases: string;
let keadm: string;
beforeAll(async () => {
  releases = await testReleases('linux-x64');
  cloud = await startPodCloud(signal);
  pods = testPods(cloud);
  keadm = join(cloud.runtime.folder, 'keadm');
  for (const name of NAMES) await pods.runScript(name, SLEEP);
  await pods.create('broken', { containers: [scriptContainer('main', SLEEP, { image: `${POD_IMAGE}-missing` })] });
  for (const name of NAMES) await pods.untilRunning(name);
  await untilReported('default/broken', 'notRunning');
  for (const name of NAMES) await untilReported(`default/${name}`, 'running');
});
afterAll(async () => cloud?.stop());

async function agentStatus(): Promise<AgentStatus> {
  const file = join(cloud.nodeRoot, 'var/lib/kubeedge', AGENT_STATUS_FILE);
  return AgentStatus.parse(JSON.parse(await readFile(file, 'utf8')));
}

async function untilReported(name: string, state: string): Promise<void> {
  const pod = expect.objectContaining({ name, state });
  await vi.waitFor(async () => expect((await agentStatus()).pods).toContainEqual(pod), PATIENCE);
}

/** The ids of the containers that run. */
async function containers(): Promise<readonly string[]> {
  const all = await Promise.all(NAMES.map(async (name) => pods.containersOf(name)));
  return all.flat().map(({ id }) => id);
}

async function upgradeTo(
  release: keyof typeof RELEASES,
  wait: readonly string[],
): Promise<{ exitCode: number; stdout: string }> {
  const source = ['--from', join(releases, release), '--trust-key', join(releases, KEY_FILE)];
  const version = ['--version', versionTag(RELEASES[release].version)];
  const words = ['upgrade', ...version, ...source, ...wait, '--root', cloud.nodeRoot, '--output', 'json'];
  return cloud.runtime.cage.run([keadm, ...words], { timeoutMs: LIMIT_MS }, signal);
}

test(
  'an upgrade and a rollback restart no container, whatever became of a pod that was broken before',
  async () => {
    const before = await containers();
    expect(before).toHaveLength(NAMES.length);
    const upgraded = await upgradeTo('good', PATIENT);
    expect(upgraded, upgraded.stdout).toMatchObject({ exitCode: 0 });
    expect((await agentStatus()).version).toBe(RELEASES.good.version);
    expect(await containers()).toEqual(before);

    await cloud.run([keadm, 'rollback', '--root', cloud.nodeRoot, ...PATIENT], { timeoutMs: LIMIT_MS });
    expect((await agentStatus()).version).not.toBe(RELEASES.good.version);
    expect(await containers()).toEqual(before);
    for (const name of NAMES) expect(restartCounts(await pods.untilRunning(name))).toEqual({ main: 0 });
  },
  20 * 60_000,
);

test(
  'an upgrade to an agent that does not manage the pods is rolled back, although its node was not ready before',
  async () => {
    const before = await containers();
    const network = join(cloud.runtime.folder, 'cni/10-pods.conflist');
    await rename(network, `${network}.away`);
    await untilNodeReady(cloud, 'False');
    await tellAgent('podless');

    const { exitCode, stdout } = await upgradeTo('misbehaving', IMPATIENT);
    expect(exitCode, stdout).not.toBe(0);
    expect(stdout).toContain('waiting for pods that ran before: default/');
    expect((await agentStatus()).version).not.toBe(RELEASES.misbehaving.version);
    for (const name of NAMES) await untilReported(`default/${name}`, 'running');
    expect(await containers()).toEqual(before);
    await rename(`${network}.away`, network);
    await untilNodeReady(cloud);
  },
  20 * 60_000,
);

/** The misbehaving agent looks for this file; in the cage nothing else of the machine is in its folder. */
async function tellAgent(behaviour: Behaviour): Promise<void> {
  await cloud.runtime.cage.mount(['-t', 'tmpfs', 'tmpfs', '/opt'], signal);
  await cloud.run(['sh', '-c', `echo ${behaviour} > ${BEHAVIOUR_PLACES['linux-x64'].file}`]);
}

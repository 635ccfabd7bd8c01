/** The agent is killed again and again while pods start, run and stop: each container runs once, and nothing is left. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type JsonObject, KINDS, stringAt } from '@fenestra/kube-api';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type PodCloud, startPodCloud, untilNodeReady } from '../../support/cloud/pod-cloud.ts';
import { podTraces } from '../../support/cloud/pod-traces.ts';
import { restartCounts, type TestPods, testPods } from '../../support/cloud/test-pods.ts';
import { isShortRun } from '../../support/reporting/short-run.ts';
import { seededRandom } from '../../support/security/random.ts';

const { signal } = new AbortController();
const KILLS = 200;
const PODS = 20;
/** With another number the kills come at other moments. */
const SEED = Number(process.env['FENESTRA_SEED'] ?? Date.now() % 100_000);
const random = seededRandom(SEED);
const LONGEST_LIFE_MS = 4_000;
const LONGEST_STAY_MS = 8_000;
/** An agent that lives for seconds, on a machine that starts twenty pods, needs many lives to start one. */
const LONG = { timeout: 10 * 60_000, interval: 500 };

let cloud: PodCloud;
let pods: TestPods;
beforeAll(async () => {
  if (isShortRun()) return;
  process.stdout.write(`The kills are those of FENESTRA_SEED=${SEED}\n`);
  cloud = await startPodCloud(signal);
  pods = testPods(cloud);
  const metadata = { name: 'password', namespace: 'default' };
  const data = { password: Buffer.from('a secret').toString('base64') };
  await cloud.api.create(KINDS.secret, { apiVersion: 'v1', kind: 'Secret', type: 'Opaque', metadata, data }, signal);
});
afterAll(async () => cloud?.stop());

const VOLUMES = (): JsonObject[] => [
  { name: 'secret', secret: { secretName: 'password' } },
  { name: 'notes', hostPath: { path: join(cloud.runtime.folder, 'notes'), type: 'DirectoryOrCreate' } },
];
const MOUNTS = ['secret', 'notes'].map((name) => ({ name, mountPath: `/${name}` }));

/** Some end by themselves after a while, and are started again. */
async function createPod(name: string, ends: boolean): Promise<void> {
  const rest = ends ? `sleep 3; echo end >> /notes/${name}; exit 1` : 'trap "exit 0" TERM; sleep 36000 & wait';
  await pods.runScript(name, `echo start >> /notes/${name}; ${rest}`, { volumes: VOLUMES() }, { volumeMounts: MOUNTS });
}

/** How often a container did this, as it noted itself. */
async function noted(name: string, what: 'start' | 'end'): Promise<number> {
  const text = await readFile(join(cloud.runtime.folder, 'notes', name), 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line === what).length;
}

async function restartsOf(name: string): Promise<number> {
  return Number(restartCounts(await pods.find(name))['main'] ?? 0);
}

/** One pod after the other at the same place, until it is enough; returns the name of the last, which stays. */
async function keepReplacing(place: number, enough: AbortSignal): Promise<string> {
  for (let turn = 0; ; turn += 1) {
    const name = `replaced-${place}-${turn}`;
    const ends = place % 4 === 0;
    await createPod(name, ends);
    await vi.waitFor(async () => expect(await noted(name, 'start')).toBeGreaterThan(0), LONG);
    if (enough.aborted) return name;
    await delay(random.below(LONGEST_STAY_MS));
    if (!ends) expect(await restartsOf(name), JSON.stringify((await pods.find(name))?.['status'])).toBe(0);
    await pods.delete(name, 1);
    await vi.waitFor(async () => expect(await pods.find(name)).toBeUndefined(), LONG);
  }
}

async function killAgain(): Promise<void> {
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await delay(random.below(LONGEST_LIFE_MS));
    await cloud.killAgent();
    await cloud.startAgent();
  }
}

test.skipIf(isShortRun())(
  `an agent that is killed ${KILLS} times while ${PODS} pods start, run and stop loses, doubles and leaves nothing`,
  { timeout: 4 * 3_600_000 },
  async () => {
    const enough = new AbortController();
    const replaced = Promise.all(Array.from({ length: PODS }, async (_, place) => keepReplacing(place, enough.signal)));
    await Promise.race([killAgain(), replaced]);
    enough.abort();
    const names = await replaced;
    await untilNodeReady(cloud);
    await vi.waitFor(async () => expect(await unexpectedOf(names)).toEqual([]), LONG);
    const uids = (await Promise.all(names.map(async (name) => (await pods.find(name))?.metadata.uid ?? ''))).toSorted();
    await vi.waitFor(async () => {
      const traces = await podTraces(cloud, signal);
      expect(traces).toMatchObject({
        sandboxes: uids,
        groups: uids,
        folders: uids,
        mounts: uids,
        addresses: PODS,
      });
    }, LONG);
    await Promise.all(names.map(async (name) => pods.delete(name, 1)));
    await Promise.all(
      names.map(async (name) => vi.waitFor(async () => expect(await pods.find(name)).toBeUndefined(), LONG)),
    );
    await vi.waitFor(async () => {
      // containerd keeps the shim of a sandbox whose start was interrupted.
      const { shims: _, ...traces } = await podTraces(cloud, signal);
      expect(traces).toEqual({ sandboxes: [], containers: [], groups: [], mounts: [], folders: [], addresses: 0 });
    }, LONG);
  },
);

/** Pods that do not run, or whose restarts are not as many as the ends of their containers. */
async function unexpectedOf(names: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    names.map(async (name) => {
      const pod = await pods.find(name);
      const restarts = Number(restartCounts(pod)['main']);
      const [ends, phase] = [await noted(name, 'end'), stringAt(pod, 'status', 'phase')];
      // The end that a container waits after is not a restart yet.
      const isExpected = phase === 'Running' && (restarts === ends || restarts === ends - 1);
      return isExpected ? [] : [`${name} is ${phase} with ${restarts} restarts after ${ends} ends`];
    }),
  );
  return found.flat();
}

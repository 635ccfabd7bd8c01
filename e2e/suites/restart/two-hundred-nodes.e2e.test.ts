import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startKubelite } from '@fenestra/kubelite';
import { silentLogger } from '@fenestra/platform';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { prepareCloud, startCloud, type CloudPlace, type CloudProcess } from '../../support/restart/cloud-process.ts';
import { atOnce, openClusterWork, wireNames, type ClusterWork } from '../../support/restart/cluster-work.ts';
import { startFleet, type Counted, type Fleet } from './fleet.ts';
import { makeNodeCertificates } from './node-certificates.ts';
import { spread } from './spread.ts';

const NODES = 200;
/** Changed, and deleted, while the cloud is down. */
const CHANGED = 50;
const DELETED = 10;
const OUTAGE_MS = 6_000;
const PATIENCE = { timeout: 60_000, interval: 100 };

const folder = mkdtempSync(join(tmpdir(), 'fenestra-restart-'));
let place: CloudPlace;
let cloud: CloudProcess;
let fleet: Fleet;
let names: readonly string[];

beforeAll(async () => {
  const { files, clients } = await makeNodeCertificates(folder, NODES);
  names = clients.map(({ node }) => node);
  place = await prepareCloud(folder, files);
  cloud = await startCloud(place);
  await atCluster(async (work) => work.setUp(names));
  fleet = startFleet({ clients, port: place.ports.hub, folder });
  await vi.waitFor(() => expect(holders(wireNames.pod, '')).toBe(NODES), PATIENCE);
  await settled();
});

afterAll(async () => {
  // The cloud first: it is its own process, which must not outlive a failure of the nodes.
  await cloud?.kill();
  await fleet?.stop();
  rmSync(folder, { recursive: true });
});

test('killed while it delivers: all nodes are back, each has the change, and it was applied once', async () => {
  await atCluster(async (work) => work.changeShared('second'));
  await vi.waitFor(() => expect(holders(() => wireNames.shared, 'second')).toBeGreaterThan(0), {
    ...PATIENCE,
    interval: 1,
  });
  const before = holders(() => wireNames.shared, 'second');
  await cloud.kill();
  cloud = await startCloud(place);
  await vi.waitFor(() => expect(holders(() => wireNames.shared, 'second')).toBe(NODES), PATIENCE);
  await allBack();
  await settled();

  const repeated = all().filter(({ delivered }) => delivered > 1).length;
  print(
    `killed when ${before} of ${NODES} nodes had the change on disk; ${repeated} got it twice, none applied it twice`,
  );
  expect(all().filter(({ applied }) => applied > 1)).toEqual([]);
});

test('down for a while: back without a herd, changes come once, nothing comes again and nothing is lost', async () => {
  const before = new Map(all().map((counted) => [counted, counted.delivered]));
  await cloud.kill();
  const killedAt = performance.now();
  await changeWhileDown();
  await sleep(Math.max(0, killedAt + OUTAGE_MS - performance.now()));
  const startedAt = performance.now();
  cloud = await startCloud(place);
  const upAt = performance.now();
  await allBack();
  const backAt = performance.now();
  // A node whose pod has gone gets no more of what the pod needed.
  await vi.waitFor(() => expect(holders(() => wireNames.shared, 'third')).toBe(NODES - DELETED), PATIENCE);
  await vi.waitFor(() => expect(holders(wireNames.own, 'third')).toBe(CHANGED), PATIENCE);
  await vi.waitFor(() => expect(holders(wireNames.pod, '')).toBe(NODES - DELETED), PATIENCE);
  await settled();

  const perSecond = spread(fleet.dueTries, killedAt, 1_000);
  const whenUp = spread(fleet.dueTries, upAt, 1_000);
  print(`down ${seconds(upAt - killedAt)} (start ${seconds(upAt - startedAt)}), all ${NODES} back ${seconds(backAt - upAt)} later
tries per second since the kill: ${perSecond.counts.join(' ')}
tries per second since the cloud is up: ${whenUp.counts.join(' ')}`);
  const since = all().filter((counted) => !before.has(counted));
  const again = [...before].filter(([counted, delivered]) => counted.delivered > delivered);
  print(`delivered since: ${since.length} versions, of earlier ones again: ${again.length}`);

  expect(again).toEqual([]);
  expect(since.filter(({ delivered, applied }) => delivered !== 1 || applied !== 1)).toEqual([]);
  expect(since).toHaveLength(NODES - DELETED + CHANGED + DELETED);
  expect(fleet.dueTries.length).toBeGreaterThanOrEqual(NODES);
  // All at once would be 200 in one second, and in one tenth of it.
  expect(perSecond.most).toBeLessThan(NODES * 0.8);
  expect(whenUp.most).toBeLessThan(NODES * 0.4);
  expect(spread(fleet.dueTries, upAt, 100).most).toBeLessThan(NODES * 0.1);
});

function all(): readonly Counted[] {
  return [...fleet.deliveries.values()];
}

/** How many nodes have an object with this text on their disk. */
function holders(resource: (node: string) => string, text: string): number {
  return fleet.holding(resource, (content) => content !== '' && content.includes(text));
}

async function allBack(): Promise<void> {
  await vi.waitFor(() => expect(fleet.connected()).toBe(NODES), PATIENCE);
  await vi.waitFor(async () => expect(await cloud.metric('KubeEdge_CloudHub_connected_nodes')).toBe(NODES), PATIENCE);
}

/** Nothing is on its way and everything acknowledged is written down; for long enough that anything extra would show. */
async function settled(): Promise<void> {
  await vi.waitFor(async () => expect(await pending()).toBe(0), PATIENCE);
  await sleep(500);
  expect(await pending()).toBe(0);
}

async function pending(): Promise<number> {
  const figures = ['fenestra_hub_pending_objects', 'fenestra_controllers_pending_records'];
  const [objects = 0, records = 0] = await Promise.all(figures.map(async (name) => cloud.metric(name)));
  return objects + records;
}

async function atCluster(task: (work: ClusterWork) => Promise<void>): Promise<void> {
  const work = await openClusterWork({ kubeconfigFile: place.kubeconfigFile });
  await task(work).finally(() => work.close());
}

/** The API is part of the process that is down, so someone else opens its data in the meantime. */
async function changeWhileDown(): Promise<void> {
  const { signal } = new AbortController();
  const where = { folder: place.apiFolder, address: '127.0.0.1', port: place.ports.api };
  const kubelite = await startKubelite({ ...where, log: silentLogger(), now: () => new Date() }, signal);
  try {
    await atCluster(async (work) => {
      await work.changeShared('third');
      await atOnce(names.slice(0, CHANGED), async (node) => work.changeOwn(node, 'third'));
      await atOnce(names.slice(-DELETED), async (node) => work.deletePod(node));
    });
  } finally {
    await kubelite.close();
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1)} s`;
}

import { ContainerStatsSchema } from '@fenestra/cri/messages';
import { messageOf } from '@fenestra/cri/testing/test-runtime';
import { LABELS, type Pod, type PressureCondition, type StopRequest } from '@fenestra/pods';
import { silentLogger } from '@fenestra/platform';
import { expect, test, vi } from 'vitest';
import { podOf } from '../testing/pods.ts';
import { type EvictablePods, type EvictorOptions, keepEvicting } from './evictor.ts';

const MEBI = 2 ** 20;

/** A node with pods that each use memory, and a disk with images. */
class Node implements EvictablePods {
  memoryMebi = 1000;
  freeDiskPercent = 50;
  /** What removing images and ended containers brings. */
  reclaimablePercent = 0;
  canReclaim = true;
  now = (): number => performance.now();
  /** The pod that does not end. */
  stuck = '';
  active: Pod[] | undefined;
  readonly used = new Map<string, number>();
  readonly evicted: { readonly uid: string; readonly request: StopRequest }[] = [];
  readonly events: string[] = [];
  conditions: ReadonlySet<PressureCondition> = new Set();

  get options(): EvictorOptions {
    return {
      host: { disk: async (path) => ({ path, totalBytes: 100, freeBytes: this.freeDiskPercent }) },
      podHost: {
        memory: async () => ({ totalBytes: 4096 * MEBI, availableBytes: this.memoryMebi * MEBI }),
        processes: async () => undefined,
      },
      runtime: {
        containerStats: async () =>
          Array.from(this.used, ([uid, mebi]) =>
            messageOf(ContainerStatsSchema, {
              attributes: { labels: { [LABELS.podUid]: uid } },
              memory: { workingSetBytes: { value: BigInt(mebi * MEBI) } },
            }),
          ),
        sandboxStats: async () => [],
      },
      rootFolder: '/nowhere',
      logFolder: '/nowhere',
      imageFolder: async () => '/nowhere',
      settings: {
        hard: { 'memory.available': '100Mi', 'imagefs.available': '15%' },
        soft: {},
        softGraceMs: {},
        minimumReclaim: {},
        transitionMs: 0,
      },
      maxSoftGraceSeconds: 0,
      log: silentLogger(),
      events: {
        recordNode: ({ reason, message }) => void this.events.push(`${reason} ${message}`),
      },
      now: () => this.now(),
      freeDisk: async () => {
        this.freeDiskPercent += this.reclaimablePercent;
        return this.canReclaim;
      },
      onConditions: (conditions) => (this.conditions = conditions),
      pods: this,
    };
  }

  evict(pod: Pod, request: StopRequest): void {
    const { uid } = pod.metadata;
    this.evicted.push({ uid, request });
    if (uid === this.stuck) return;
    this.active = this.active?.filter((each) => each !== pod);
    this.memoryMebi += this.used.get(uid) ?? 0;
  }

  add(uid: string, mebi: number): void {
    const pod = podOf();
    this.active = [...(this.active ?? []), { ...pod, metadata: { ...pod.metadata, uid } }];
    this.used.set(uid, mebi);
  }
}

async function whileEvicting(node: Node, until: () => void): Promise<void> {
  const ending = new AbortController();
  const ended = keepEvicting(node.options, ending.signal);
  try {
    await vi.waitFor(until, 5_000);
  } finally {
    ending.abort();
    await ended;
  }
}

test('pods are evicted until there is enough memory, the largest first, and the others stay', async () => {
  const node = new Node();
  for (const [uid, mebi] of [
    ['small', 1],
    ['large', 40],
    ['larger', 50],
  ] as const)
    node.add(uid, mebi);
  node.memoryMebi = 20;
  await whileEvicting(node, () => {
    expect(node.evicted).toHaveLength(2);
    expect(node.conditions).toEqual(new Set());
  });
  expect(node.evicted.map(({ uid }) => uid)).toEqual(['larger', 'large']);
  const threshold = 'EvictionThresholdMet Attempting to reclaim memory';
  expect(node.events).toEqual([threshold]);
  expect(node.evicted[0]?.request).toMatchObject({
    reason: 'Evicted',
    message: 'The node was low on resource: memory. Threshold quantity: 100Mi, available: 20480Ki. ',
  });
});

test('a pod that does not end is waited for 30 seconds, then the next one is evicted', async () => {
  const node = new Node();
  node.add('next', 40);
  node.add('stuck', 50);
  node.stuck = 'stuck';
  node.memoryMebi = 70;
  let seconds = 0;
  node.now = () => (seconds += 10) * 1000;
  await whileEvicting(node, () => expect(node.evicted).toHaveLength(2));
  expect(node.evicted.map(({ uid }) => uid)).toEqual(['stuck', 'next']);
  expect(seconds).toBeGreaterThan(30);
});

test('no pod is evicted if what nothing needs frees enough of the disk', async () => {
  const node = new Node();
  node.add('pod', 1);
  node.freeDiskPercent = 10;
  node.reclaimablePercent = 10;
  await whileEvicting(node, () => {
    expect(node.freeDiskPercent).toBe(20);
    expect(node.conditions).toEqual(new Set());
  });
  expect(node.evicted).toEqual([]);
});

test('a disk is freed although the memory is short and no pod can be evicted for it', async () => {
  const node = new Node();
  node.active = [];
  node.memoryMebi = 20;
  node.freeDiskPercent = 10;
  node.reclaimablePercent = 10;
  await whileEvicting(node, () => {
    expect(node.freeDiskPercent).toBe(20);
    expect(node.conditions).toEqual(new Set(['MemoryPressure']));
  });
});

test('no pod is evicted before it is known what nothing needs', async () => {
  const node = new Node();
  node.add('pod', 1);
  node.freeDiskPercent = 10;
  node.canReclaim = false;
  await whileEvicting(node, () => expect(node.conditions).toEqual(new Set(['DiskPressure'])));
  expect(node.evicted).toEqual([]);
});

test('a pod is evicted if the disk stays short, and the node says so', async () => {
  const node = new Node();
  node.add('pod', 1);
  node.freeDiskPercent = 10;
  await whileEvicting(node, () => expect(node.evicted).toHaveLength(1));
  expect(node.conditions).toEqual(new Set(['DiskPressure']));
});

test('nothing is removed or evicted while the pods are not known', async () => {
  const node = new Node();
  node.memoryMebi = 20;
  node.freeDiskPercent = 10;
  node.reclaimablePercent = 10;
  await whileEvicting(node, () => expect(node.conditions).toEqual(new Set(['MemoryPressure', 'DiskPressure'])));
  expect(node.freeDiskPercent).toBe(10);
});

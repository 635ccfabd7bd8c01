import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeCredentials } from './hub/credentials.ts';
import { startWorker, type Figures, type Mode, type Worker } from './hub/orders.ts';
import { median, undisturbed, type Benchmark, type Ratio } from './ratio.ts';

/** `BENCH_NODES=200` gives a quick idea; the bars are for 2,000. */
const NODES = Number(process.env['BENCH_NODES'] ?? 2_000);
const IDLE_MS = 30_000;
const SETTLE_MS = 4_000;
const ROUNDS = 20;
const BLOCKS = 5;
const OBJECT_BYTES = 2_000;
const RECONNECT_LIMIT_SECONDS = 60;

/** What thousands of nodes cost the hub, against a bare WebSocket server with mutual TLS and as many connections. */
export const hub: Benchmark = {
  name: 'hub',
  async measure() {
    const folder = mkdtempSync(join(tmpdir(), 'fenestra-bench-'));
    try {
      await writeCredentials(folder, NODES);
      const bare = await withServer('bare', folder, measureCommon);
      const ours = await withServer('ours', folder, measureOurs);
      return [...commonRatios(ours.common, bare), ...ours.ratios];
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

/** A server with all nodes connected. */
interface Bed {
  readonly mode: Mode;
  readonly folder: string;
  readonly port: number;
  readonly server: Worker;
  readonly clients: Worker;
  readonly before: Figures;
}

/** What is measured on both. */
interface Common {
  readonly kilobytesPerNode: number;
  readonly idleCpuPercent: number;
  readonly microsecondsPerMessage: number;
}

async function withServer<T>(mode: Mode, folder: string, work: (bed: Bed) => Promise<T>): Promise<T> {
  const server = startWorker(join(import.meta.dirname, 'hub/server-main.ts'));
  const clients = startWorker(join(import.meta.dirname, 'hub/clients-main.ts'));
  try {
    const { port } = await server.order('listen', { mode, port: 0, folder });
    await sleep(1_000);
    const before = await server.order('figures', null);
    await clients.order('connect', { port, folder, from: 0, to: NODES });
    await sleep(SETTLE_MS);
    return await work({ mode, folder, port, server, clients, before });
  } finally {
    await Promise.all([server.kill(), clients.kill()]);
  }
}

async function measureCommon(bed: Bed): Promise<Common> {
  const { server, before } = bed;
  const start = await server.order('figures', null);
  await sleep(IDLE_MS);
  const end = await server.order('figures', null);
  const times = bed.mode === 'ours' ? (await oursRounds(bed, 1)).map(last) : await bareRounds(bed);
  return {
    kilobytesPerNode: (start.residentBytes - before.residentBytes) / NODES / 1_024,
    idleCpuPercent: ((end.cpuMs - start.cpuMs) / IDLE_MS) * 100,
    microsecondsPerMessage: (undisturbed(times) / NODES) * 1_000,
  };
}

/** For each round the milliseconds until every node has the message. */
async function bareRounds({ server, clients }: Bed): Promise<readonly number[]> {
  const times: number[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const received = clients.order('received', { messages: NODES });
    const { startedAt } = await server.order('broadcast', { round, bytes: OBJECT_BYTES });
    times.push((await received).at - startedAt);
  }
  return times;
}

/** For each round the sorted milliseconds until each node has acknowledged. */
async function oursRounds({ server }: Bed, first: number): Promise<readonly (readonly number[])[]> {
  const rounds: (readonly number[])[] = [];
  for (let round = first; round < first + ROUNDS; round += 1) {
    const { latencies } = await server.order('broadcast', { round, bytes: OBJECT_BYTES });
    rounds.push(latencies.toSorted((left, right) => left - right));
  }
  return rounds;
}

async function measureOurs(bed: Bed): Promise<{ common: Common; ratios: readonly Ratio[] }> {
  const common = await measureCommon(bed);
  return { common, ratios: [await measureTrouble(bed), ...(await measureRestart(bed))] };
}

/** One node never acknowledges and one object is refused by every node; the others must not feel it. */
async function measureTrouble(bed: Bed): Promise<Ratio> {
  const calm: number[] = [];
  const troubled: number[] = [];
  for (let block = 0; block < BLOCKS; block += 1) {
    const first = 1_000 * (block + 1);
    const quiet = await oursRounds(bed, first);
    calm.push(...quiet.map(p99));
    if (block === 0)
      console.log(
        `acknowledged by ${NODES} nodes: p50 ${median(quiet.map(p50)).toFixed(1)} ms, p99 ${median(calm).toFixed(1)} ms`,
      );
    await bed.clients.order('mute', { on: true });
    await bed.server.order('trouble', { on: true });
    await sleep(SETTLE_MS);
    troubled.push(...(await oursRounds(bed, first + ROUNDS)).map(p99));
    await bed.server.order('trouble', { on: false });
    await bed.clients.order('mute', { on: false });
    await sleep(SETTLE_MS);
  }
  return {
    name: 'p99 of acknowledgements with a mute node and a failing object',
    unit: 'ms, the lower quarter of rounds',
    ours: undisturbed(troubled),
    peer: 'the same without',
    theirs: undisturbed(calm),
    bar: 1.1,
  };
}

/** The cloud is killed and started again; every node comes back by itself. */
async function measureRestart({ mode, folder, port, server, clients }: Bed): Promise<readonly Ratio[]> {
  await server.kill();
  const fresh = startWorker(join(import.meta.dirname, 'hub/server-main.ts'));
  try {
    const started = performance.now();
    await fresh.order('listen', { mode, port, folder });
    const { cpuMs } = await fresh.order('figures', null);
    while ((await clients.order('connected', null)).connected < NODES) {
      if (performance.now() - started > 2 * RECONNECT_LIMIT_SECONDS * 1_000) break;
      await sleep(250);
    }
    const seconds = (performance.now() - started) / 1_000;
    const after = await fresh.order('figures', null);
    const cores = (after.cpuMs - cpuMs) / 1_000 / seconds;
    const peer = 'the limit';
    return [
      {
        name: `${NODES} nodes back after a restart`,
        unit: 's',
        ours: seconds,
        peer,
        theirs: RECONNECT_LIMIT_SECONDS,
        bar: 1,
      },
      { name: 'CPU while they come back', unit: 'cores', ours: cores, peer, theirs: 1, bar: 1 },
    ];
  } finally {
    await fresh.kill();
  }
}

function commonRatios(ours: Common, bare: Common): readonly Ratio[] {
  const peer = 'a bare ws server';
  return [
    {
      name: `memory per node, ${NODES} nodes`,
      unit: 'kB',
      ours: ours.kilobytesPerNode,
      peer,
      theirs: bare.kilobytesPerNode,
      bar: 1.25,
    },
    {
      name: 'idle CPU with keepalives',
      unit: '% of a core',
      ours: ours.idleCpuPercent,
      peer,
      theirs: bare.idleCpuPercent,
      bar: 3,
    },
    // At least 0.4 times the messages per second.
    {
      name: 'one object to all, acknowledged',
      unit: 'µs per message',
      ours: ours.microsecondsPerMessage,
      peer: 'bare sends of the same bytes',
      theirs: bare.microsecondsPerMessage,
      bar: 1 / 0.4,
    },
  ];
}

function p50(sorted: readonly number[]): number {
  return sorted[Math.floor(sorted.length * 0.5)] ?? Number.NaN;
}

function p99(sorted: readonly number[]): number {
  return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
}

function last(sorted: readonly number[]): number {
  return sorted.at(-1) ?? Number.NaN;
}

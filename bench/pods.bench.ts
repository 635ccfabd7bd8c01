import { execFile } from 'node:child_process';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type PodCloud, startPodCloud } from '../e2e/support/cloud/pod-cloud.ts';
import { memoryOf, memoryText } from './edgecore/process-memory.ts';
import { agentPid, processorMs, processorPercent } from './pods/agent-cost.ts';
import { removeAgentPods, restartTimes, startAgentPods } from './pods/agent-pods.ts';
import { rawRestartMs, removeRawPods, startRawPods } from './pods/raw-pods.ts';
import { type StartTimes, untilAll, untilHalf } from './pods/start-times.ts';
import { type Benchmark, median, type Ratio } from './ratio.ts';

/** How many pods, in how many rounds, each after the same number by bare calls. */
const SIZES: readonly { readonly count: number; readonly rounds: number }[] = process.env['BENCH_PODS']
  ? process.env['BENCH_PODS'].split(',').map((count) => ({ count: Number(count), rounds: 1 }))
  : [
      { count: 1, rounds: 7 },
      { count: 10, rounds: 3 },
      { count: 50, rounds: 2 },
      { count: 110, rounds: 1 },
    ];
const FULL = 110;
const CALLS = Number(process.env['BENCH_RUNTIME_CALLS'] ?? 20_000);
const RESTARTS = 5;
const SETTLE_MS = 20_000;
const STEADY_MS = 60_000;
const RAW = 'bare calls of the runtime, all at once, in the same minute';

/** What a pod costs at the agent, against bare calls of the same runtime, which is one with events. */
export const pods: Benchmark = {
  name: 'pods',
  async measure() {
    const { signal } = new AbortController();
    const cloud = await startPodCloud(signal, { release: 'trixie' });
    try {
      const ratios: Ratio[] = [];
      await sleep(SETTLE_MS);
      const idle = memoryOf(agentPid(cloud));
      console.log(`agent without pods: ${memoryText(idle)}`);
      for (const { count, rounds } of SIZES) ratios.push(...(await measureStarts(cloud, count, rounds)));
      ratios.push(await measureReaction(cloud), ...(await measureFull(cloud, idle.privateMegabytes)));
      return [...ratios, await measureCalls(cloud)];
    } finally {
      await cloud.stop();
    }
  },
};

async function measureStarts(cloud: PodCloud, count: number, rounds: number): Promise<readonly Ratio[]> {
  const raw: StartTimes[] = [];
  const ours: StartTimes[] = [];
  for (let round = 0; round < rounds; round += 1) {
    raw.push(await startRawPods(cloud.cri, cloud.runtime.folder, count));
    await removeRawPods(cloud.cri);
    ours.push(await startAgentPods(cloud, count, untilAll(raw[round] ?? { each: [0] })));
    await removeAgentPods(cloud);
    const [theirs, own] = [raw, ours].map((times) => times.at(-1)).map((times) => (times ? untilAll(times) : 0));
    console.log(`${count} pods: ${own} ms, bare calls ${theirs} ms, load ${loadavg()[0]?.toFixed(1)}`);
  }
  const all = { ours: median(ours.map(untilAll)), theirs: median(raw.map(untilAll)) };
  const unit = `ms, median of ${rounds}`;
  if (count === 1) {
    const peer = `${RAW}, and 50 ms`;
    return [
      {
        name: 'one pod, from its creation in the cloud to its container',
        unit,
        peer,
        ...all,
        theirs: all.theirs + 50,
        bar: 1,
      },
    ];
  }
  const half = { ours: median(ours.map(untilHalf)), theirs: median(raw.map(untilHalf)) };
  return [
    { name: `${count} pods at once, to the last container`, unit, peer: RAW, ...all, bar: 1.2 },
    ...(count === 50 ? [{ name: 'the median pod of 50', unit, peer: RAW, ...half, bar: 0.75 }] : []),
  ];
}

async function measureReaction(cloud: PodCloud): Promise<Ratio> {
  const own = await rawRestartMs(cloud.cri, cloud.runtime.folder);
  return {
    name: 'first restart of a container, from the end to the next instance',
    unit: `ms, median of ${RESTARTS}`,
    ours: median(await restartTimes(cloud, RESTARTS)),
    peer: 'bare calls for another instance, and 200 ms',
    theirs: own + 200,
    bar: 1,
  };
}

/** What the agent costs with as many pods as a node takes. */
async function measureFull(cloud: PodCloud, idleMegabytes: number): Promise<readonly Ratio[]> {
  const pid = agentPid(cloud);
  const before = processorMs(pid);
  await startAgentPods(cloud, FULL, SETTLE_MS);
  await sleep(SETTLE_MS);
  const perPod = (processorMs(pid) - before) / FULL;
  const percent = await processorPercent(pid, STEADY_MS);
  const full = memoryOf(pid);
  console.log(`agent with ${FULL} pods: ${memoryText(full)}`);
  await removeAgentPods(cloud);
  const limit = { peer: 'the limit', bar: 1 };
  const growth = full.privateMegabytes - idleMegabytes;
  return [
    { ...limit, name: `private memory that ${FULL} pods cost the agent`, unit: 'MB', ours: growth, theirs: 25 },
    { ...limit, name: `PSS of the agent with ${FULL} pods`, unit: 'MB', ours: full.pssMegabytes, theirs: 110 },
    { ...limit, name: `processor of the agent, ${FULL} pods that run`, unit: '% of a core', ours: percent, theirs: 1 },
    { ...limit, name: 'processor time of the agent for the start of a pod', unit: 'ms', ours: perPod, theirs: 30 },
  ];
}

const MOST_GROWTH_MEGABYTES = 5;

async function measureCalls({ runtime }: PodCloud): Promise<Ratio> {
  const program = join(import.meta.dirname, 'pods/runtime-calls-main.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [program, runtime.endpoint, String(CALLS)]);
  return {
    name: `growth of private memory in ${CALLS} calls of the runtime`,
    unit: 'MB',
    ours: Math.max(0, Number(stdout)),
    peer: 'the limit',
    theirs: MOST_GROWTH_MEGABYTES,
    bar: 1,
  };
}

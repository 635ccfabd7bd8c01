import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openKubeApi, type KubeApi } from '@fenestra/kube-api';
import { prepareCloud, startCloud, type CloudProcess } from '../e2e/restart/cloud-process.ts';
import { prepareAgent, startAgent, type AgentPlace } from './edgecore/agent-process.ts';
import { sendObjects } from './edgecore/thousand-objects.ts';
import { ourExecutable } from './executables.ts';
import { median, type Benchmark, type Ratio } from './ratio.ts';

const RUNS = 9;
const IDLE_MS = 15_000;
const OBJECTS = 1_000;

/** Upstream's agent, KubeEdge v1.23, measured on such a machine: it cannot be had here in the same run. */
const UPSTREAM = { connectedMs: 180, residentMegabytes: 86.6 };
const MEMORY_LIMIT_MEGABYTES = 70;
/** A node with little memory and many objects: 1,000 of them may cost 10 MB. */
const OBJECT_LIMIT_KILOBYTES = 10;

/** What a connected agent costs, from the built executable against a cloud in a process of its own. */
export const edgecore: Benchmark = {
  name: 'edgecore',
  async measure() {
    const folder = mkdtempSync(join(tmpdir(), 'fenestra-bench-'));
    const cloudFolder = join(folder, 'cloud');
    mkdirSync(cloudFolder);
    const place = await prepareCloud(cloudFolder);
    const cloud = await startCloud(place);
    const api = await openKubeApi({ kubeconfigFile: place.kubeconfigFile });
    try {
      const agent = await prepareAgent(join(folder, 'node'), place.ports, api);
      return [await measureConnecting(agent), ...(await measureMemory(agent, api, cloud))];
    } finally {
      api.close();
      await cloud.kill();
      rmSync(folder, { recursive: true });
    }
  },
};

/** The first start joins; the others find the certificate and the files in memory, as after a restart of the service. */
async function measureConnecting(place: AgentPlace): Promise<Ratio> {
  const ours: number[] = [];
  const bare: number[] = [];
  for (let run = 0; run <= RUNS; run += 1) {
    const agent = await startAgent(place);
    await agent.stop();
    if (run === 0) continue;
    ours.push(agent.connectedAfterMs);
    bare.push(milliseconds(['version']));
  }
  return {
    name: 'start to connected, warm',
    unit: `ms, median of ${RUNS}`,
    ours: median(ours),
    peer: "our executable's bare start and upstream's whole time to connect",
    theirs: median(bare) + UPSTREAM.connectedMs,
    bar: 1,
  };
}

function milliseconds(args: readonly string[]): number {
  const started = performance.now();
  execFileSync(ourExecutable(), args);
  return performance.now() - started;
}

async function measureMemory(place: AgentPlace, api: KubeApi, cloud: CloudProcess): Promise<readonly Ratio[]> {
  const agent = await startAgent(place);
  try {
    await sleep(IDLE_MS);
    const idle = agent.residentMegabytes();
    const anonymous = agent.anonymousMegabytes();
    console.log(`idle, connected: ${idle.toFixed(1)} MB resident, of which ${anonymous.toFixed(1)} MB are no file's`);
    await sendObjects(api, cloud, 'bench-node', OBJECTS);
    await sleep(IDLE_MS);
    const grown = agent.residentMegabytes();
    console.log(`with ${OBJECTS} objects of a kilobyte: ${grown.toFixed(1)} MB resident`);
    const memory = { name: 'idle memory, connected', unit: 'MB resident', ours: idle, bar: 1 };
    return [
      { ...memory, peer: 'the limit', theirs: MEMORY_LIMIT_MEGABYTES },
      { ...memory, peer: "upstream's agent", theirs: UPSTREAM.residentMegabytes },
      {
        name: `memory per object, from 0 to ${OBJECTS}`,
        unit: 'kB',
        ours: ((grown - idle) * 1_024) / OBJECTS,
        peer: 'the limit',
        theirs: OBJECT_LIMIT_KILOBYTES,
        bar: 1,
      },
    ];
  } finally {
    await agent.stop();
  }
}

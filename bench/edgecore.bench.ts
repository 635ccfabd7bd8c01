import { setTimeout as sleep } from 'node:timers/promises';
import { openKubeApi } from '@fenestra/kube-api';
import { readMetric } from '../e2e/support/restart/cloud-process.ts';
import { startAgent } from './edgecore/agent-process.ts';
import { connectBareNode, holdBareConnection } from './edgecore/bare-connection.ts';
import { memoryOf, memoryText } from './edgecore/process-memory.ts';
import { sendObjects } from './edgecore/thousand-objects.ts';
import { openSite, type Site } from './lifecycle/site.ts';
import { agentAt } from './lifecycle/watch-agent.ts';
import { median, type Benchmark, type Ratio } from './ratio.ts';

const NODE = 'bench-node';
const RUNS = 9;
const IDLE_MS = 15_000;
const OBJECTS = 1_000;
/** A node with little memory and many objects: 1,000 of them may cost 10 MB. */
const OBJECT_LIMIT_KILOBYTES = 10;

/** What a connected agent costs, as `keadm join` installs it, against a bare Node.js process with a TLS connection. */
export const edgecore: Benchmark = {
  name: 'edgecore',
  async measure() {
    const site = await openSite();
    try {
      site.join(NODE);
      const memory = await measureMemory(site);
      site.keadm(['service', 'stop', '--root', site.root(NODE)]);
      return [await measureConnecting(site), ...memory];
    } finally {
      site.close([NODE]);
    }
  },
};

/** Alternating runs, with certificate and files there already, as after a restart of the service. */
async function measureConnecting(site: Site): Promise<Ratio> {
  const root = site.root(NODE);
  const ours: number[] = [];
  const bare: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const agent = await startAgent(root);
    await agent.stop();
    ours.push(agent.connectedAfterMs);
    bare.push(await connectBareNode(root, site.ports.hub));
  }
  return {
    name: 'start to connected, warm',
    unit: `ms, median of ${RUNS}`,
    ours: median(ours),
    peer: 'the start of a bare Node.js process and its TLS connection to the same hub',
    theirs: median(bare),
    bar: 5,
  };
}

async function measureMemory(site: Site): Promise<readonly Ratio[]> {
  const root = site.root(NODE);
  const bare = await holdBareConnection(root, site.ports.hub);
  try {
    await sleep(IDLE_MS);
    const idle = memoryOf(agentAt(root)?.pid);
    const peer = memoryOf(bare.pid);
    console.log(`idle, connected: ${memoryText(idle)}; bare Node.js with a TLS connection: ${memoryText(peer)}`);
    await sendAll(site);
    await sleep(IDLE_MS);
    const grown = memoryOf(agentAt(root)?.pid);
    console.log(`with ${OBJECTS} objects of a kilobyte: ${memoryText(grown)}`);
    const memory = { peer: 'a bare Node.js process with a TLS connection', bar: 2 };
    return [
      {
        ...memory,
        name: 'idle memory, connected',
        unit: 'MB private',
        ours: idle.privateMegabytes,
        theirs: peer.privateMegabytes,
      },
      { ...memory, name: 'idle memory, connected', unit: 'MB PSS', ours: idle.pssMegabytes, theirs: peer.pssMegabytes },
      {
        name: `memory per object, from 0 to ${OBJECTS}`,
        unit: 'kB',
        ours: ((grown.privateMegabytes - idle.privateMegabytes) * 1_024) / OBJECTS,
        peer: 'the limit',
        theirs: OBJECT_LIMIT_KILOBYTES,
        bar: 1,
      },
    ];
  } finally {
    bare.kill('SIGKILL');
  }
}

async function sendAll({ kubeconfig, ports }: Site): Promise<void> {
  const api = await openKubeApi({ kubeconfigFile: kubeconfig });
  const metrics = `http://127.0.0.1:${ports.monitor}/metrics`;
  try {
    await sendObjects(api, { metric: async (name) => readMetric(metrics, name) }, NODE, OBJECTS);
  } finally {
    api.close();
  }
}

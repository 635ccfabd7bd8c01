import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { sendConfigMap } from '../scripts/demo/proof.ts';
import { ourExecutable } from './executables.ts';
import { joinByHand } from './lifecycle/join-by-hand.ts';
import { openSite, type Site } from './lifecycle/site.ts';
import { agentAt, downtime, seen } from './lifecycle/watch-agent.ts';
import { median, type Benchmark, type Ratio } from './ratio.ts';

const NODE = 'bench-node';
const RUNS = 5;
const RELOADS = 20;

/** What an administrator waits for, and what a node misses in the meantime. */
export const lifecycle: Benchmark = {
  name: 'lifecycle',
  async measure() {
    const site = await openSite();
    const nodes: string[] = [];
    try {
      const joined = await measureJoin(site, nodes);
      return [joined, await measureUpgrade(site), ...(await measureReload(site))];
    } finally {
      site.close(nodes);
    }
  },
};

/** Every join is followed by its parts manually, so that both meet the machine in the same mood. */
async function measureJoin(site: Site, nodes: string[]): Promise<Ratio> {
  const joins: number[] = [];
  const parts: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const node = run === 0 ? NODE : `${NODE}-${run}`;
    joins.push(site.join(node));
    nodes.push(node);
    parts.push(await joinByHand(site, node, `by-hand-${run}`));
    if (node !== NODE) site.keadm(['service', 'stop', '--root', site.root(node)]);
  }
  return {
    name: 'keadm join',
    unit: 'ms, median of 5',
    ours: median(joins),
    peer: 'copy of the program, start of its service, TLS bootstrap',
    theirs: median(parts),
    bar: 2,
  };
}

/** Alternating runs. The other version is the same program with a byte behind its end, so both start alike. */
async function measureUpgrade(site: Site): Promise<Ratio> {
  const root = site.root(NODE);
  const versions = ['odd', 'even'].map((name) => join(root, name));
  for (const [index, version] of versions.entries()) {
    cpSync(ourExecutable(), version);
    appendFileSync(version, '\n'.repeat(index + 1));
  }
  const [upgrades, restarts]: [number[], number[]] = [[], []];
  for (let run = 0; run < RUNS; run += 1) {
    upgrades.push(
      await downtime(root, keadm('upgrade', '--from', versions[run % 2] ?? '', '--settle', '0s', '--root', root)),
    );
    restarts.push(await downtime(root, keadm('service', 'restart', '--root', root)));
  }
  return {
    name: 'downtime of an upgrade',
    unit: 'ms, median of 5',
    ours: median(upgrades),
    peer: 'a plain restart of the same service',
    theirs: median(restarts),
    bar: 1.5,
  };
}

async function keadm(...args: readonly string[]): Promise<void> {
  const child = spawn(ourExecutable(), args, { stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`"keadm ${args.join(' ')}" ended with ${code}`);
}

/** A label concerns the node module alone; in the meantime objects go on coming from the cloud. */
async function measureReload(site: Site): Promise<readonly Ratio[]> {
  const root = site.root(NODE);
  const config = join(root, 'etc/kubeedge/config/edgecore.yaml');
  showObjects(site);
  const before = agentAt(root);
  const times: number[] = [];
  let lost = 0;
  for (let run = 0; run < RELOADS; run += 1) {
    const text = readFileSync(config, 'utf8').replace(/nodeLabels: .*/, `nodeLabels: { run: "${run}" }`);
    writeFileSync(config, text);
    const arrival = sendConfigMap(site.kubeconfig, NODE, site.ports.metaServer).catch(() => (lost += 1));
    times.push(await reload(root, text));
    await arrival;
  }
  const after = agentAt(root);
  if (after?.pid !== before?.pid) throw new Error('The agent was restarted by a reload');
  return [
    {
      name: 'reload of one module',
      unit: 'ms until in force, median of 20',
      ours: median(times),
      peer: 'the limit',
      theirs: 200,
      bar: 1,
    },
    {
      name: 'objects lost during 20 reloads',
      unit: 'objects',
      ours: lost,
      peer: 'those sent',
      theirs: RELOADS,
      bar: 0,
    },
  ];
}

/** The node's own API is where its objects can be seen. */
function showObjects(site: Site): void {
  const metaServer = 'modules.metaManager.metaServer';
  const settings = [`${metaServer}.enable=true`, `${metaServer}.server=127.0.0.1:${site.ports.metaServer}`];
  site.keadm(['config', 'set', ...settings, '--settle', '0s', '--root', site.root(NODE)]);
}

async function reload(root: string, text: string): Promise<number> {
  const sha256 = createHash('sha256').update(text).digest('hex');
  const started = performance.now();
  process.kill(agentAt(root)?.pid ?? 0, 'SIGHUP');
  const inForce = await seen(root, (agent) => agent?.configSha256 === sha256);
  if (agentAt(root)?.connected !== true) throw new Error('A reload cost the connection');
  return inForce - started;
}

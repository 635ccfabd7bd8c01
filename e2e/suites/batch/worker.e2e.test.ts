/** A worker of plain Kubernetes in a batch: judged on the machine, proved by its status, rolled back when the wave halts. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SshdBed, startSshd } from '../../support/beds/sshd-bed.ts';
import { unlimited } from '../../support/cloud/patience.ts';
import { isShortRun } from '../../support/reporting/short-run.ts';
import { joinArgs, resetArgs, upgradeArgs } from '../../support/worker/administrator.ts';
import { KUBELET_SERVICE, kubeletProcess, leftOfWorker, standingOf } from '../../support/worker/machine-state.ts';
import { startLinuxSite } from '../../support/worker/site/linux-site.ts';
import { STAND_IN_KUBELETS } from '../../support/worker/site/supplies.ts';
import type { WorkerSite } from '../../support/worker/site/worker-site.ts';
import { startSmallCluster } from '../../support/worker/small-cluster/small-cluster.ts';
import { type BatchAnswer, type Controller, openController, problemsIn, statesIn } from './controller.ts';
import { keyAuth } from './fleet-site.ts';

const NODE = 'worker';

let site: WorkerSite;
let sshd: SshdBed;
let controller: Controller;

beforeAll(async () => {
  site = await startLinuxSite(await startSmallCluster(unlimited()), STAND_IN_KUBELETS);
  const leader = /^\/proc\/(\d+)\/root/.exec(site.machine.node.hostPath('/'))?.[1] ?? '';
  const shell = `nsenter --all --target ${leader} -- /usr/bin/env HOME=/root /bin/sh -c "$SSH_ORIGINAL_COMMAND"`;
  sshd = await startSshd({ machines: 1, shell }, unlimited());
  controller = await openController();
});
afterAll(async () => {
  await controller.close();
  await sshd.stop();
  await site.stop();
});

test('a join is judged by a dry run there, and proved although the node waits for its network', async () => {
  const answer = await run(await joinWords());
  expect(problemsIn(answer)).toEqual([]);
  const states = answer.events.flatMap((event) => (event.type === 'node' ? [event.state] : []));
  const changes = states.filter((state, index) => state !== states[index - 1]);
  const judged = ['surveying', 'waiting', 'delivering', 'surveying', 'waiting'];
  expect(changes).toEqual([...judged, 'executing', 'proving', 'done']);
  expect(await standingOf(site)).toEqual({ ready: 'False', version: site.releases.first });
});

test('a second run finds out on the machine that nothing has to be changed', async () => {
  const before = await kubeletProcess(site);
  const answer = await run(await joinWords());
  expect(statesIn(answer), answer.stdout).toEqual({ [NODE]: 'unchanged' });
  expect(await kubeletProcess(site)).toBe(before);
});

test('a worker that stops working in the soak time goes back to the version it had', async () => {
  await site.setNetwork(true);
  const answer = await soaked(upgradeArgs(site, site.releases.next));
  expect(statesIn(answer), answer.stdout).toEqual({ [NODE]: 'rolled-back' });
  await expect
    .poll(async () => standingOf(site), { timeout: 60_000 })
    .toEqual({
      ready: 'True',
      version: site.releases.first,
    });
});

test.skipIf(isShortRun())('a join that is rolled back leaves no worker', async () => {
  expect(problemsIn(await run(await resetArgs(site)))).toEqual([]);
  expect(await leftOfWorker(site)).toEqual([]);
  const answer = await soaked(await joinWords());
  expect(statesIn(answer), answer.stdout).toEqual({ [NODE]: 'rolled-back' });
  expect(await leftOfWorker(site)).toEqual([]);
});

async function joinWords(): Promise<readonly string[]> {
  return [...joinArgs(site), '--token', await site.cluster.makeToken()];
}

async function run(words: readonly string[]): Promise<BatchAnswer> {
  return controller.start(await batchWords(words, '0s')).ended;
}

/** Stops the kubelet when the wave soaks, which breaks the halt rule. */
async function soaked(words: readonly string[]): Promise<BatchAnswer> {
  const running = controller.start(await batchWords(words, '10m'));
  await running.until(({ type }) => type === 'wave-soaking');
  await site.machine.node.run('systemctl', ['stop', KUBELET_SERVICE]);
  return running.ended;
}

async function batchWords(words: readonly string[], soak: string): Promise<readonly string[]> {
  const [machine] = sshd.machines;
  if (machine === undefined) throw new Error('the bed has no machine');
  const file = await controller.write('worker.yaml', {
    delivery: 'push',
    waves: [{ name: 'all', soak }],
    onHalt: 'roll-back',
    halt: { failedPercent: 0 },
    defaults: { ssh: { username: sshd.user, auth: keyAuth(sshd.keyFile) } },
    nodes: [{ nodeName: NODE, keadmCmd: words.join(' '), ssh: { ip: machine.host, port: machine.port } }],
  });
  return ['run', '-c', file, '--runs', controller.runs, '--known-hosts', sshd.knownHosts];
}

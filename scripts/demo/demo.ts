/**
 * `npm start`: a cloud with its own Kubernetes API and a node joined to it, both as services below `dist/demo`,
 * without root, until Ctrl-C; a second start finds its data. With `--check` it proves each point and goes down.
 */
import { arch } from 'node:os';
import { join, resolve } from 'node:path';
import { makeExecutable } from '../../build/make-executable.ts';
import { TARGETS } from '../../build/targets.ts';
import { demoPorts } from './demo-settings.ts';
import { keadmAt } from './keadm.ts';
import { type DemoRuntime, startRuntime } from './container-runtime.ts';
import { runPods, sendConfigMap } from './proof.ts';

const NODE = 'demo-node';
const folder = resolve('dist/demo');
const cloudRoot = join(folder, 'cloud');
const nodeRoot = join(folder, 'node');
const kubeconfig = join(cloudRoot, 'var/lib/kubeedge/cloud/admin.kubeconfig');

const stopped = new Promise<void>((stop) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop());
});

const target = TARGETS.find(({ name }) => name === `linux-${arch()}`);
if (target === undefined) throw new Error(`There is no executable for Linux on ${arch()}`);
console.log('Building the executable');
const { keadm, quietly, piped } = keadmAt(await makeExecutable(target));
const ports = await demoPorts(folder);

function startCloud(): void {
  const addresses = [
    '--advertise-address',
    '127.0.0.1',
    '--hub-port',
    `${ports.hub}`,
    '--https-port',
    `${ports.https}`,
  ];
  const local = ['--api-address', `127.0.0.1:${ports.api}`, '--monitor-address', `127.0.0.1:${ports.monitor}`];
  keadm('init', '--embedded', '--root', cloudRoot, ...addresses, ...local);
}

function startNode(runtime: DemoRuntime | undefined): void {
  const token = quietly('gettoken', '--node', NODE, '--root', cloudRoot);
  const cloud = ['--cloudcore-ip', '127.0.0.1', '--hub-port', `${ports.hub}`, '--certport', `${ports.https}`];
  const metaServer = 'modules.metaManager.metaServer';
  const local = ['--set', `${metaServer}.enable=true`, '--set', `${metaServer}.server=127.0.0.1:${ports.metaServer}`];
  // The demo has separate ports, and may run beside a real node.
  const words = [...cloud, '--edgenode-name', NODE, '--token', '-', ...local, '--skip-check', 'ports'];
  const pods = runtime === undefined ? ['--set', 'modules.edged.enable=false'] : flagsForPods(runtime);
  piped(token)('join', '--root', nodeRoot, ...words, ...pods);
}

/** The disk belongs to others: how full it is does not keep the pods of the demo away. */
function flagsForPods({ endpoint }: DemoRuntime): readonly string[] {
  const kubelet = 'modules.edged.tailoredKubeletConfig';
  const signals = ['nodefs.available', 'nodefs.inodesFree', 'imagefs.available', 'imagefs.inodesFree'];
  const thresholds = signals.flatMap((signal) => ['--set', `${kubelet}.evictionHard["${signal}"]=0%`]);
  return ['--remote-runtime-endpoint', endpoint, ...thresholds, '--set', `${kubelet}.imageGCHighThresholdPercent=100`];
}

/** Each is stopped whatever becomes of the others. */
async function takeDown(runtime: DemoRuntime | undefined): Promise<void> {
  try {
    keadm('service', 'stop', '--root', nodeRoot);
  } finally {
    try {
      keadm('cloud', 'stop', '--root', cloudRoot);
    } finally {
      await runtime?.stop();
    }
  }
}

async function showWorkload(runtime: DemoRuntime | undefined): Promise<readonly string[]> {
  if (runtime === undefined) {
    const text = await sendConfigMap(kubeconfig, NODE, ports.metaServer);
    console.log(`\nA ConfigMap goes to the node: "${text}" is there.`);
    return [`curl http://127.0.0.1:${ports.metaServer}/api/v1/namespaces/default/configmaps/demo`];
  }
  const { url, answer } = await runPods(kubeconfig, NODE);
  console.log(`\nTwo pods run on the node. ${url} answers "${answer}", from a ConfigMap.`);
  return [`kubectl --kubeconfig ${kubeconfig} get pods -o wide`, `curl ${url}`];
}

let runtime: DemoRuntime | undefined;
try {
  if (process.getuid?.() === 0) runtime = await startRuntime(join(folder, 'containerd'));
  else console.log('\nPods are left out: only root can run containers. Run "sudo npm start" to see two.');
  startCloud();
  startNode(runtime);
  const next = await showWorkload(runtime);
  keadm('status', '--root', cloudRoot);
  if (!process.argv.includes('--check')) {
    const lines = [
      `kubectl --kubeconfig ${kubeconfig} get nodes -o wide`,
      `kubectl --kubeconfig ${kubeconfig} describe node ${NODE}`,
      ...next,
    ];
    console.log(`\nGo on with, for example:
  ${lines.join('\n  ')}
Press Ctrl-C to take everything down; the next start finds its data.`);
    const wait = setInterval(() => {}, 60_000);
    await stopped;
    clearInterval(wait);
  }
} finally {
  await takeDown(runtime);
}
console.log('\nThe demo came up, did its work and went down.');

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
import { sendConfigMap } from './proof.ts';

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

function startNode(): void {
  const token = quietly('gettoken', '--node', NODE, '--root', cloudRoot);
  const cloud = ['--cloudcore-ip', '127.0.0.1', '--hub-port', `${ports.hub}`, '--certport', `${ports.https}`];
  const metaServer = 'modules.metaManager.metaServer';
  const local = ['--set', `${metaServer}.enable=true`, '--set', `${metaServer}.server=127.0.0.1:${ports.metaServer}`];
  // The demo has ports of its own, and may run beside a real node.
  const words = [...cloud, '--edgenode-name', NODE, '--token', '-', ...local, '--skip-check', 'ports'];
  piped(token)('join', '--root', nodeRoot, ...words);
}

/** Each is stopped whatever becomes of the other. */
function takeDown(): void {
  try {
    keadm('service', 'stop', '--root', nodeRoot);
  } finally {
    keadm('cloud', 'stop', '--root', cloudRoot);
  }
}

try {
  startCloud();
  startNode();
  console.log(`\nA ConfigMap goes to the node: "${await sendConfigMap(kubeconfig, NODE, ports.metaServer)}" is there.`);
  keadm('status', '--root', cloudRoot);
  if (!process.argv.includes('--check')) {
    console.log(`\nGo on with, for example:
  kubectl --kubeconfig ${kubeconfig} get nodes -o wide
  kubectl --kubeconfig ${kubeconfig} describe node ${NODE}
  curl http://127.0.0.1:${ports.metaServer}/api/v1/namespaces/default/configmaps/demo
Press Ctrl-C to take everything down; the next start finds its data.`);
    const alive = setInterval(() => {}, 60_000);
    await stopped;
    clearInterval(alive);
  }
} finally {
  takeDown();
}
console.log('\nThe demo came up, did its work and went down.');

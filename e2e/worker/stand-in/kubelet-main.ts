/**
 * A stand-in for a kubelet, where a real one would have to be built first: `node kubelet-main.ts VERSION BEHAVIOUR ARGS…`. It
 * says its version, takes the arguments that are in use here, answers at its health port, and keeps its Node object and
 * lease as a kubelet does. It runs no pods.
 */
import { existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { KINDS, openKubeApi, type JsonObject, type KubeApi } from '@fenestra/kube-api';

const [version = '', behaviour = '', ...args] = process.argv.slice(2);
const CNI_FOLDER = '/etc/cni/net.d';
const HEALTH_PORT = 10248;
const REPORT_MS = 500;
const signal = new AbortController().signal;

if (args.includes('--version')) {
  process.stdout.write(`Kubernetes ${version}\n`);
} else if (behaviour === 'crash') {
  process.stderr.write('F1115 server.go:269] failed to run Kubelet: no idea how\n');
  process.exit(255);
} else {
  await serve();
}

async function serve(): Promise<void> {
  process.on('SIGTERM', () => process.exit(0));
  const kubeconfigFile = valueOf('kubeconfig');
  const name = valueOf('hostname-override') || hostname().toLowerCase();
  createServer((_, response) => response.end('ok')).listen(HEALTH_PORT, '127.0.0.1');
  const api = await openKubeApi({ kubeconfigFile });
  for (;;) {
    // A cluster that is out of reach is no reason to end.
    if (behaviour !== 'mute')
      await report(api, name).catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
    await delay(REPORT_MS);
  }
}

function valueOf(flag: string): string {
  const prefix = `--${flag}=`;
  return args.findLast((arg) => arg.startsWith(prefix))?.slice(prefix.length) ?? '';
}

async function report(api: KubeApi, name: string): Promise<void> {
  if ((await api.find(KINDS.node, { name }, signal)) === undefined) {
    const labels = { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux' };
    await api.create(KINDS.node, { metadata: { name, labels } }, signal);
  }
  const status = { conditions: [readyCondition()], nodeInfo: nodeInfo() };
  await api.patch(KINDS.node, { name }, { type: 'strategic', body: { status }, subresource: 'status' }, signal);
  await renewLease(api, name);
}

async function renewLease(api: KubeApi, name: string): Promise<void> {
  const lease = { namespace: 'kube-node-lease', name };
  const spec = {
    holderIdentity: name,
    leaseDurationSeconds: 40,
    renewTime: new Date().toISOString().replace('Z', '000Z'),
  };
  if ((await api.find(KINDS.lease, lease, signal)) === undefined)
    await api.create(KINDS.lease, { metadata: lease, spec }, signal);
  else await api.patch(KINDS.lease, lease, { type: 'merge', body: { spec } }, signal);
}

function readyCondition(): JsonObject {
  const hasNetwork = existsSync(CNI_FOLDER) && readdirSync(CNI_FOLDER).length > 0;
  const [status, reason, message] = hasNetwork
    ? ['True', 'KubeletReady', 'kubelet is posting ready status']
    : [
        'False',
        'KubeletNotReady',
        'container runtime network not ready: NetworkReady=false cni plugin not initialized',
      ];
  return { type: 'Ready', status, reason, message, lastHeartbeatTime: new Date().toISOString().replace(/\.\d+/, '') };
}

function nodeInfo(): JsonObject {
  return {
    kubeletVersion: version,
    kubeProxyVersion: version,
    architecture: 'amd64',
    operatingSystem: 'linux',
    osImage: 'Debian GNU/Linux 12 (bookworm)',
    kernelVersion: '6.1.0',
    containerRuntimeVersion: 'containerd://1.6.20',
    bootID: '',
    machineID: '',
    systemUUID: '',
  };
}

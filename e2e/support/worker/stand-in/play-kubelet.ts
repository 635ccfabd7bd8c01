/**
 * A stand-in for a kubelet, where a real one would have to be built first, or cannot run: it says its version, takes the
 * arguments that are in use here, answers at its health port, and keeps its Node object and lease as a kubelet does. It
 * runs no pods.
 */
import { existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { KINDS, openKubeApi, type JsonObject, type KubeApi } from '@fenestra/kube-api';
import type { KubeletBehaviour } from './stand-in-kubelet.ts';

/** What a stand-in says and does. */
export interface KubeletPart {
  readonly version: string;
  readonly os: 'linux' | 'windows';
  readonly behaviour: KubeletBehaviour;
  readonly args: readonly string[];
}

const CNI_FOLDER = '/etc/cni/net.d';
const HEALTH_PORT = 10248;
const REPORT_MS = 500;
const signal = new AbortController().signal;

/** Plays a kubelet until it is instructed to end. */
export async function playKubelet(part: KubeletPart): Promise<void> {
  if (part.args.includes('--version')) return void process.stdout.write(`Kubernetes ${part.version}\n`);
  if (part.behaviour !== 'crash') return serve(part);
  process.stderr.write('F1115 server.go:269] failed to run Kubelet: no idea how\n');
  process.exit(255);
}

async function serve({ args, behaviour, ...part }: KubeletPart): Promise<void> {
  process.on('SIGTERM', () => process.exit(0));
  const kubeconfigFile = valueOf(args, 'kubeconfig');
  const name = valueOf(args, 'hostname-override') || hostname().toLowerCase();
  createServer((_, response) => response.end('ok')).listen(HEALTH_PORT, '127.0.0.1');
  const api = await openKubeApi({ kubeconfigFile });
  for (;;) {
    // A cluster that is out of reach is not a reason to end.
    if (behaviour !== 'mute')
      await report(api, name, part).catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
    await delay(REPORT_MS);
  }
}

function valueOf(args: readonly string[], flag: string): string {
  const prefix = `--${flag}=`;
  return args.findLast((arg) => arg.startsWith(prefix))?.slice(prefix.length) ?? '';
}

type Reported = Pick<KubeletPart, 'version' | 'os'>;

async function report(api: KubeApi, name: string, part: Reported): Promise<void> {
  if ((await api.find(KINDS.node, { name }, signal)) === undefined) {
    const labels = { 'kubernetes.io/hostname': name, 'kubernetes.io/os': part.os };
    await api.create(KINDS.node, { metadata: { name, labels } }, signal);
  }
  const status = { conditions: [readyCondition()], nodeInfo: nodeInfo(part) };
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

function nodeInfo({ version, os }: Reported): JsonObject {
  return {
    kubeletVersion: version,
    kubeProxyVersion: version,
    architecture: 'amd64',
    operatingSystem: os,
    osImage: 'Debian GNU/Linux 12 (bookworm)',
    kernelVersion: '6.1.0',
    containerRuntimeVersion: 'containerd://1.6.20',
    bootID: '',
    machineID: '',
    systemUUID: '',
  };
}

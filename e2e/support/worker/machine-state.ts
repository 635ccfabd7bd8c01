import { existsSync } from 'node:fs';
import { readlink } from 'node:fs/promises';
import { posix } from 'node:path';
import { KINDS, listAt, stringAt, type KubeObject } from '@fenestra/kube-api';
import { unlimited } from '../cloud/patience.ts';
import { pictureOf, type Tree } from '../crash/tree.ts';
import { registrationOf } from '../machines/registration.ts';
import type { WorkerSite } from './site/worker-site.ts';

/** The service of every kubelet. */
export const KUBELET_SERVICE = 'kubelet';

const FOLDERS = {
  'linux-x64': ['/etc', '/usr/local', '/var/lib'],
  'windows-x64': ['C:\\etc', 'C:\\var', 'C:\\k'],
} as const;
/** keadm's own memory, which outlives every worker, and what other programs of the machine write by themselves. */
const LEFT_OUT =
  /^(\/var\/lib: (containerd|systemd|cni|fenestra(\/(journal|lock|scripts))?)(\/.*)?|C:\\var: (lib\/)?(fenestra(\/(journal|lock|scripts)(\/.*)?)?)?)\/?$/;

/** Every file and folder of a machine where a command about its worker may leave something. */
export async function pictureOfWorker({ machine: { node, target } }: WorkerSite): Promise<Tree> {
  const entries: [string, string][] = [];
  for (const folder of FOLDERS[target].filter((path) => existsSync(node.hostPath(path)))) {
    for (const [path, text] of Object.entries(await pictureOf(node.hostPath(folder), ['containerd']))) {
      entries.push([`${folder}: ${path}`, text]);
    }
  }
  return Object.fromEntries(entries.filter(([path]) => !LEFT_OUT.test(path)));
}

/** What is left of a worker on its machine: nothing, on a clean one. */
export async function leftOfWorker({ machine, paths }: WorkerSite): Promise<readonly string[]> {
  const files = [paths.kubelet, paths.kubeconfig, paths.bootstrapKubeconfig, paths.caFile, paths.kubeletFolder];
  const left = files.filter((file) => existsSync(machine.node.hostPath(file)));
  return (await registrationOf(machine, KUBELET_SERVICE)) === undefined ? left : [...left, 'the service'];
}

/** The machine's Node object, or undefined. */
export async function nodeObject({ cluster, machine }: WorkerSite): Promise<KubeObject | undefined> {
  return cluster.api.find(KINDS.node, { name: machine.node.name }, unlimited());
}

/** What the cluster says of its node. */
export async function standingOf(site: WorkerSite): Promise<{ ready: string; version: string } | undefined> {
  const node = await nodeObject(site);
  if (node === undefined) return undefined;
  const version = stringAt(node, 'status', 'nodeInfo', 'kubeletVersion');
  return { ready: stringAt(readyCondition(node), 'status'), version };
}

/** When the node last said that it is ready; what it said before is not news. */
export async function lastReady(site: WorkerSite): Promise<number> {
  const condition = readyCondition(await nodeObject(site));
  return stringAt(condition, 'status') === 'True' ? Date.parse(stringAt(condition, 'lastHeartbeatTime')) : 0;
}

function readyCondition(node: KubeObject | undefined): ReturnType<typeof listAt>[number] | undefined {
  return listAt(node, 'status', 'conditions').find((each) => stringAt(each, 'type') === 'Ready');
}

/** The file with the worker's certificate and key; where there are links, they lead to it by the machine's own paths. */
export async function clientCertificate({ machine, paths }: WorkerSite): Promise<string> {
  const { clientCertificate: path } = paths;
  return readlink(machine.node.hostPath(path)).then(
    (target) => posix.resolve(posix.dirname(path), target),
    () => path,
  );
}

/** The process id of the kubelet's service; 0 when it does not run. */
export async function kubeletProcess({ machine }: WorkerSite): Promise<number> {
  const { stdout } = await machine.node.run('systemctl', ['show', '--property=MainPID', '--value', KUBELET_SERVICE]);
  return Number(stdout.trim());
}

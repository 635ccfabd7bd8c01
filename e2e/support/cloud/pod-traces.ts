import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ContainerState, PodSandboxState } from '@fenestra/cri/messages';
import type { PodCloud } from './pod-cloud.ts';

/** What a machine has of its pods, by their uids in order, and what they use of the system. */
export interface PodTraces {
  /** One entry for each sandbox that runs. */
  readonly sandboxes: readonly string[];
  /** One entry for each container that runs, with the name of the container. */
  readonly containers: readonly string[];
  readonly groups: readonly string[];
  /** One entry for each mount below the folder of a pod. */
  readonly mounts: readonly string[];
  readonly folders: readonly string[];
  readonly shims: number;
  readonly addresses: number;
}

const UID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** Looks at the runtime, the control groups, the table of mounts, the disk, the processes and the network. */
export async function podTraces(cloud: PodCloud, signal: AbortSignal): Promise<PodTraces> {
  const { cri, nodeRoot, runtime } = cloud;
  const pods = join(nodeRoot, 'var/lib/kubelet/pods');
  const sandboxes = await cri.listSandboxes({ state: { state: PodSandboxState.SANDBOX_READY } }, signal);
  const containers = await cri.listContainers({ state: { state: ContainerState.CONTAINER_RUNNING } }, signal);
  const groups = await cloud.run(['find', '/sys/fs/cgroup', '-type', 'd', '-name', '*pod*-*', '-prune']);
  const mounts = (await cloud.run(['cat', '/proc/self/mountinfo'])).split('\n').map((line) => line.split(' ')[4] ?? '');
  return {
    sandboxes: sandboxes.map(({ metadata }) => metadata?.uid ?? '').toSorted(),
    containers: containers.map(({ labels, metadata }) => `${uidOf(labels)} ${metadata?.name}`).toSorted(),
    groups: [...new Set(uidsIn(groups.split('\n').map((path) => basename(path))))].toSorted(),
    mounts: uidsIn(mounts.filter((path) => path.startsWith(pods))).toSorted(),
    folders: (await readdir(pods)).toSorted(),
    shims: Number((await cloud.run(['sh', '-c', 'pgrep -c containerd-shim || true'])).trim()),
    addresses: (await readdir(join(runtime.folder, 'addresses/pods'))).filter((name) => /^[\d.]+$/.test(name)).length,
  };
}

function uidOf(labels: Readonly<Record<string, string>>): string {
  return labels['io.kubernetes.pod.uid'] ?? '';
}

function uidsIn(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => UID.exec(text)?.[0] ?? []);
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Cage, CageParts } from './cage.ts';
import { openControlGroup, removeGroup } from './control-group.ts';

/** Where the control groups of pods are. */
export interface PodGroups {
  /** What the cage of the pods needs for them. */
  readonly parts: CageParts;
  /** Makes them appear in the cage. */
  mount(cage: Cage, signal: AbortSignal): Promise<void>;
  /** Removes them, once nothing runs in them. */
  remove(): Promise<void>;
}

const ROOT = '/sys/fs/cgroup';
const CONTROLLERS = ['cpu', 'cpuacct', 'cpuset', 'memory', 'devices', 'freezer', 'blkio', 'pids'];
/** Where containers are if no one says where, and where pods are. */
const TOPMOST = ['k8s.io', 'kubepods'];

/**
 * With version 1 of control groups, those of pods are in a separate group, which is the topmost in the cage. With version 2
 * no group that has processes may have limits below it, so they are beside the machine's own.
 */
export async function openPodGroups(): Promise<PodGroups> {
  return existsSync(join(ROOT, 'cgroup.controllers')) ? besideOthers() : inOneGroup();
}

async function inOneGroup(): Promise<PodGroups> {
  const group = await openControlGroup('pods', 'all');
  return {
    parts: { group },
    async mount(cage, signal) {
      await cage.mount(['-t', 'tmpfs', 'tmpfs', ROOT], signal);
      for (const controller of CONTROLLERS) await mountHierarchy(cage, controller, controller, signal);
      await mountHierarchy(cage, 'systemd', 'none,name=systemd', signal);
    },
    remove: async () => group.remove(),
  };
}

/** Mounted here, a hierarchy shows the cage's control group as the topmost. */
async function mountHierarchy(cage: Cage, name: string, options: string, signal: AbortSignal): Promise<void> {
  const folder = join(ROOT, name);
  await cage.run(['mkdir', folder], {}, signal);
  await cage.mount(['-t', 'cgroup', '-o', options, 'cgroup', folder], signal);
}

function besideOthers(): PodGroups {
  return {
    parts: {},
    mount: async () => undefined,
    async remove() {
      for (const name of TOPMOST) await removeGroup(join(ROOT, name));
    },
  };
}

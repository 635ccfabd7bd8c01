import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CachedFolder, cached } from './cache.ts';
import { buildDebianBase, type DebianBase } from './debian-base.ts';
import { requirePackages } from './debian-packages.ts';

const DEBIAN: DebianBase = {
  release: 'bookworm',
  include: ['systemd', 'systemd-sysv', 'dbus', 'openssh-server', 'sudo', 'iproute2'],
  install: [],
};

// What would make all nodes the same machine; systemd makes new ones at boot.
const IDENTITY = ['etc/machine-id', 'var/lib/dbus/machine-id', 'etc/hostname'];

const BASE = baseOf('linux', DEBIAN);

/** The same with all that a Kubernetes worker needs before its kubelet comes. */
const WORKER_BASE = baseOf('linux-worker', {
  ...DEBIAN,
  install: ['containerd', 'runc', 'containernetworking-plugins', 'iptables', 'conntrack', 'mount'],
});

/** The environment every program of a Linux node starts from. */
export const LINUX_ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/root',
  LANG: 'C.UTF-8',
};

/** Makes the base of all Linux nodes, once per machine and recipe, and returns its folder. */
export async function prepareLinux(signal: AbortSignal): Promise<string> {
  await requirePackages(['debootstrap', 'systemd-container', 'util-linux', 'hostname'], signal);
  return cached(BASE, signal);
}

/** Makes the base of all Linux nodes that are to become Kubernetes workers, likewise. */
export async function prepareLinuxWorker(signal: AbortSignal): Promise<string> {
  await requirePackages(['debootstrap', 'systemd-container', 'util-linux', 'hostname'], signal);
  return cached(WORKER_BASE, signal);
}

function baseOf(name: string, debian: DebianBase): CachedFolder {
  return {
    name,
    recipe: [JSON.stringify(debian), ...IDENTITY],
    build: async (folder, signal) => buildDebianBase(debian, folder, async () => forgetIdentity(folder), signal),
  };
}

async function forgetIdentity(folder: string): Promise<void> {
  for (const file of IDENTITY) await rm(join(folder, file), { force: true });
  // Empty rather than absent: absent would mean a first boot, with all its one-time work.
  await writeFile(join(folder, 'etc/machine-id'), '');
}

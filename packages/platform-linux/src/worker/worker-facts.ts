import { access, constants, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LinuxWorkerFacts, ContainerNetworks, Firewall } from '@fenestra/platform';
import { cleanEnvironment } from '../supervisor/run-program.ts';

/** What a kubelet calls to mount volumes and look at disks. */
const PROGRAMS = ['mount', 'umount', 'losetup', 'blkid', 'cp'] as const;
const SWAPS = '/proc/swaps';
const FORWARDING = '/proc/sys/net/ipv4/ip_forward';
const CGROUPS = '/sys/fs/cgroup';
const OWN_STATUS = '/proc/self/status';
/** https://man7.org/linux/man-pages/man7/capabilities.7.html */
const CAP_SYS_RESOURCE = 24n;

/** Reads what only a kubelet, or an agent that runs pods, cares about. */
export async function readWorkerFacts(): Promise<LinuxWorkerFacts> {
  const [swaps, forwarding, cgroups, missingPrograms, ownStatus] = await Promise.all([
    textOf(SWAPS),
    textOf(FORWARDING),
    cgroupVersion(),
    findMissing(PROGRAMS),
    textOf(OWN_STATUS),
  ]);
  return {
    os: 'linux',
    swap: parseSwaps(swaps),
    missingPrograms,
    forwarding: parseSwitch(forwarding),
    cgroups,
    cgroupControllers: await controllersOf(cgroups),
    allowsLowerOomScores: allowsCapability(ownStatus, CAP_SYS_RESOURCE),
  };
}

/** Whether a program may get this capability at all: the bounding set is that of the machine or container. */
export function allowsCapability(processStatus: string, capability: bigint): boolean {
  const [, bounding = '0'] = /^CapBnd:\s*([\da-f]+)$/m.exec(processStatus) ?? [];
  return ((BigInt(`0x${bounding}`) >> capability) & 1n) === 1n;
}

/** The devices and files in use, of a table whose first line is its head. Blanks in a name are written as `\040`. */
export function parseSwaps(table: string): readonly string[] {
  const names = table
    .split('\n')
    .slice(1)
    .map((line) => line.split(/\s/, 1)[0] ?? '');
  return names.filter((name) => name !== '').map((name) => name.replaceAll('\\040', ' '));
}

/** A setting of the kernel that is on or off; anything else is not an answer. */
export function parseSwitch(text: string): boolean | undefined {
  const word = text.trim();
  return word === '1' ? true : word === '0' ? false : undefined;
}

/** The second version has this file at its root; of the first, each controller has a folder. */
async function cgroupVersion(): Promise<LinuxWorkerFacts['cgroups']> {
  if (await can(join(CGROUPS, 'cgroup.controllers'), constants.F_OK)) return 'v2';
  return (await can(join(CGROUPS, 'memory'), constants.F_OK)) ? 'v1' : 'none';
}

/** Of the first version a folder can be that of two controllers: `cpu,cpuacct`. */
async function controllersOf(version: LinuxWorkerFacts['cgroups']): Promise<readonly string[]> {
  if (version === 'v2') return (await textOf(join(CGROUPS, 'cgroup.controllers'))).trim().split(' ');
  const folders = await readdir(CGROUPS).catch(() => []);
  return [...new Set(folders.flatMap((folder) => folder.split(',')))];
}

/** Where a service looks for programs, which need not be where the shell of anyone who asks does. */
async function findMissing(programs: readonly string[]): Promise<readonly string[]> {
  const folders = (cleanEnvironment()['PATH'] ?? '').split(':');
  const found = await Promise.all(programs.map(async (program) => isIn(folders, program)));
  return programs.filter((_, index) => found[index] !== true);
}

async function isIn(folders: readonly string[], program: string): Promise<boolean> {
  const found = await Promise.all(folders.map(async (folder) => can(join(folder, program), constants.X_OK)));
  return found.includes(true);
}

async function can(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}

async function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}

/** The kernel keeps no networks of containers: what plugins make of bridges and routes is theirs to remove. */
export function noContainerNetworks(): ContainerNetworks {
  return { list: async () => [], remove: async () => undefined };
}

/**
 * Linux has no one firewall that a program could tell: nftables, firewalld, ufw and network plugins all keep rules of
 * their own, and who has set one up knows what to let in.
 */
export function unmanagedFirewall(): Firewall {
  return {
    managed: false,
    state: async () => 'unknown',
    open: async () => undefined,
    close: async () => undefined,
  };
}

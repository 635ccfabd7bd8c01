import { copyFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '@fenestra/kernel';
import { type Cage, openCage } from './cage.ts';
import { mustRun } from './command.ts';
import { mountSystem } from './node-root.ts';
import { timed } from './progress.ts';

/** A Debian system to unpack into a folder. */
export interface DebianBase {
  readonly release: string;
  /** Packages debootstrap unpacks with the system. */
  readonly include: readonly string[];
  /** Packages apt-get installs inside it afterwards, with all they depend on. */
  readonly install: readonly string[];
}

const DOWNLOAD_MS = 15 * 60_000;

/** The temporary folder of this process does not exist inside another root. */
export const IN_ROOT = ['env', 'TMPDIR=/tmp'] as const;

/** Makes a Debian system in `folder`, then lets `finish` work in it. All mounts are in a cage, none on this machine. */
export async function buildDebianBase(
  base: DebianBase,
  folder: string,
  finish: (cage: Cage) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const cage = await openCage('base', signal);
  try {
    await timed(`debootstrap ${base.release}`, async () => debootstrap(cage, base, folder, signal));
    await mountSystem(cage, folder, signal);
    if (base.install.length > 0)
      await timed(`installing ${base.install.join(', ')} in it`, async () => installInside(cage, base, folder, signal));
    await finish(cage);
  } finally {
    await cage.close();
  }
}

async function debootstrap(cage: Cage, base: DebianBase, folder: string, signal: AbortSignal): Promise<void> {
  const include = base.include.length === 0 ? [] : [`--include=${base.include.join(',')}`];
  const argv = [...IN_ROOT, 'debootstrap', '--variant=minbase', ...include, base.release, folder];
  const result = await cage.run(argv, { timeoutMs: DOWNLOAD_MS }, signal);
  if (result.exitCode === 0) return;
  throw new OperatorError('COMMAND_FAILED', `Cannot unpack Debian "${base.release}"`, {
    hint: `Make sure that this machine reaches a Debian mirror. debootstrap said: ${result.stdout.slice(-500)}${result.stderr.slice(-500)}`,
  });
}

async function installInside(cage: Cage, base: DebianBase, folder: string, signal: AbortSignal): Promise<void> {
  await useHostNetworkSettings(folder, signal);
  const inside = ['chroot', folder, ...IN_ROOT, 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '--yes'];
  for (const step of [['update'], ['install', '--no-install-recommends', ...base.install], ['clean']]) {
    const result = await cage.run([...inside, ...step], { timeoutMs: DOWNLOAD_MS }, signal);
    if (result.exitCode !== 0) throw notInstalled(base, result.stderr);
  }
  await rm(join(folder, 'var/lib/apt/lists'), { recursive: true, force: true });
}

// The inner apt reaches its mirror the way this machine's apt does: same names, same proxy.
async function useHostNetworkSettings(folder: string, signal: AbortSignal): Promise<void> {
  for (const file of ['/etc/resolv.conf', '/etc/hosts']) await copyFile(file, join(folder, file));
  const dump = await mustRun(['apt-config', 'dump', '--no-empty', 'Acquire'], {}, signal);
  const settings = dump.stdout.split('\n').filter((line) => /^Acquire::(https?::|Retries|ForceIPv)/.test(line));
  await writeFile(join(folder, 'etc/apt/apt.conf.d/90host'), `${settings.join('\n')}\n`);
}

function notInstalled(base: DebianBase, said: string): OperatorError {
  return new OperatorError('COMMAND_FAILED', `Cannot install "${base.install.join(' ')}" in Debian "${base.release}"`, {
    hint: `Make sure that this machine reaches a Debian mirror. apt-get said: ${said.slice(-500)}`,
  });
}

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '@fenestra/kernel';
import { cached } from './cache.ts';
import { mustRun, runCommand } from './command.ts';

const DOWNLOAD_MS = 5 * 60_000;

/**
 * The folder with what Debian packages hold, unpacked beside this machine's own: nothing is set up or started, and what
 * they depend on is not there unless it is named too.
 */
export async function unpackedPackages(
  cacheName: string,
  packages: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const build = async (folder: string, ended: AbortSignal): Promise<void> => unpack(packages, folder, ended);
  return cached({ name: cacheName, recipe: packages, build }, signal);
}

/** The same of one package. */
export async function unpackedPackage(name: string, cacheName: string, signal: AbortSignal): Promise<string> {
  return unpackedPackages(cacheName, [name], signal);
}

async function unpack(packages: readonly string[], folder: string, signal: AbortSignal): Promise<void> {
  // One of this machine's own sources may be out of reach without these packages being so.
  await runCommand(['apt-get', 'update'], { timeoutMs: DOWNLOAD_MS }, signal);
  const label = `apt-get download ${packages.join(' ')}`;
  const download = ['env', '--chdir', folder, 'apt-get', 'download', ...packages];
  await mustRun(download, { timeoutMs: DOWNLOAD_MS, label }, signal);
  const files = (await readdir(folder)).filter((entry) => entry.endsWith('.deb'));
  if (files.length !== packages.length) {
    throw new OperatorError(
      'COMMAND_FAILED',
      `Cannot find the Debian packages "${packages.join(' ')}" after their download`,
      {
        hint: `Try it by hand: ${label}`,
      },
    );
  }
  for (const file of files) await mustRun(['dpkg-deb', '--extract', join(folder, file), folder], {}, signal);
}

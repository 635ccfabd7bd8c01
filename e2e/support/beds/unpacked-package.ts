import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
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

/** The same of packages from another release of Debian than this machine's, such as `trixie`. */
export async function unpackedFrom(release: string, packages: readonly string[], signal: AbortSignal): Promise<string> {
  const build = async (folder: string, ended: AbortSignal): Promise<void> =>
    unpack(packages, folder, ended, await sourcesOf(release, join(folder, 'apt')));
  return cached({ name: `${release}-${packages.join('-')}`, recipe: [release, ...packages], build }, signal);
}

/** What makes apt use one release alone, with separate folders, so that this machine's sources stay as they are. */
async function sourcesOf(release: string, folder: string): Promise<readonly string[]> {
  for (const name of ['state', 'lists/partial', 'cache/archives/partial'])
    await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, 'state/status'), '');
  const keys = '[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]';
  await writeFile(join(folder, 'sources.list'), `deb ${keys} http://deb.debian.org/debian ${release} main\n`);
  const settings = {
    'Dir::Etc::SourceList': join(folder, 'sources.list'),
    'Dir::Etc::SourceParts': '/dev/null',
    'Dir::State': join(folder, 'state'),
    'Dir::State::Lists': join(folder, 'lists'),
    'Dir::Cache': join(folder, 'cache'),
  };
  return Object.entries(settings).map(([name, value]) => `--option=${name}=${value}`);
}

async function unpack(
  packages: readonly string[],
  folder: string,
  signal: AbortSignal,
  options: readonly string[] = [],
): Promise<void> {
  // One of this machine's own sources may be out of reach without these packages being so.
  await runCommand(['apt-get', ...options, 'update'], { timeoutMs: DOWNLOAD_MS }, signal);
  const label = `apt-get download ${packages.join(' ')}`;
  const download = ['env', '--chdir', folder, 'apt-get', ...options, 'download', ...packages];
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
  for (const file of files) {
    await mustRun(['dpkg-deb', '--extract', join(folder, file), folder], {}, signal);
    await rm(join(folder, file));
  }
  await rm(join(folder, 'apt'), { recursive: true, force: true });
}

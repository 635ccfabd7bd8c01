import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '@fenestra/kernel';
import { cached } from '../beds/cache.ts';
import { mustRun, runCommand } from '../beds/command.ts';

const PACKAGE = 'kubernetes-client';
const DOWNLOAD_MS = 5 * 60_000;

/** The path of Debian's own kubectl. It is unpacked beside this machine's, which may have another one already. */
export async function debianKubectl(signal: AbortSignal): Promise<string> {
  const folder = await cached({ name: 'debian-kubectl', recipe: [PACKAGE], build: unpack }, signal);
  return join(folder, 'usr', 'bin', 'kubectl');
}

async function unpack(folder: string, signal: AbortSignal): Promise<void> {
  // One of this machine's own sources may be out of reach without this package being so.
  await runCommand(['apt-get', 'update'], { timeoutMs: DOWNLOAD_MS }, signal);
  const download = ['env', '--chdir', folder, 'apt-get', 'download', PACKAGE];
  await mustRun(download, { timeoutMs: DOWNLOAD_MS, label: `apt-get download ${PACKAGE}` }, signal);
  const file = (await readdir(folder)).find((name) => name.endsWith('.deb'));
  if (file === undefined) {
    throw new OperatorError('COMMAND_FAILED', `Cannot find the Debian package "${PACKAGE}" after its download`, {
      hint: `Try it by hand: apt-get download ${PACKAGE}`,
    });
  }
  await mustRun(['dpkg-deb', '--extract', join(folder, file), folder], {}, signal);
}

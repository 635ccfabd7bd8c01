import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hostsFile, HOSTS_FILE, HOSTS_PATHS, type Pod, terminationFile } from '@fenestra/pods';

const FOLDER_MODE = 0o750;
const TERMINATION_FILE_MODE = 0o666;
const HOSTS_FILE_MODE = 0o644;

/** Makes the file for a termination message: a new one for each instance, so that no former message counts for it. */
export async function makeTerminationFile(podFolder: string, container: string): Promise<string> {
  const file = join(podFolder, terminationFile(container, randomBytes(4).toString('hex')));
  await mkdir(dirname(file), { recursive: true, mode: FOLDER_MODE });
  await writeFile(file, '');
  await chmod(file, TERMINATION_FILE_MODE);
  return file;
}

/** Writes the file with the names of hosts in place: a container keeps the file that it was started with. */
export async function writeHostsFile(
  podFolder: string,
  pod: Pod,
  {
    os,
    ...names
  }: {
    readonly os: 'linux' | 'windows';
    readonly podIps: readonly string[];
    readonly clusterDomain: string;
  },
): Promise<string> {
  const file = join(podFolder, HOSTS_FILE);
  const hostFile = await readFile(HOSTS_PATHS[os], 'utf8').catch(() => '');
  await writeFile(file, hostsFile(pod, { ...names, hostFile }));
  await chmod(file, HOSTS_FILE_MODE);
  return file;
}

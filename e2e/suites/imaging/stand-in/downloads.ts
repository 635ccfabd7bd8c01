import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mustRun } from '../../../support/beds/command.ts';
import { makeSetupPackages } from './setup-package.ts';
import { talkingProgram } from './talking-program.ts';

/** The version of Kubernetes that the stand-ins say they are. */
export const KUBERNETES_VERSION = 'v1.33.1';
/** The version of containerd that its stand-in says it is. */
export const CONTAINERD_VERSION = '2.1.4';

/** A file that an image is made of. */
export interface Download {
  readonly file: string;
  readonly sha256: string;
}

/** Stand-ins for all that an image is made of, in a separate folder. */
export interface Downloads {
  readonly folder: string;
  readonly containerd: Download;
  readonly kubelet: Download;
  readonly cloudbaseInit: Download;
  /** A package that is not cloudbase-init's. */
  readonly otherPackage: Download;
  remove(): Promise<void>;
}

/** Makes the stand-ins: programs that only say who they are, in packages that are real ones. */
export async function makeDownloads(signal: AbortSignal): Promise<Downloads> {
  const folder = await mkdtemp(join(tmpdir(), 'fenestra-downloads-'));
  const kubelet = join(folder, 'kubelet.exe');
  await writeFile(kubelet, talkingProgram(`Kubernetes ${KUBERNETES_VERSION}\n`));
  const { right, other } = await makeSetupPackages(folder, signal);
  return {
    folder,
    containerd: await downloadOf(await makeContainerd(folder, signal)),
    kubelet: await downloadOf(kubelet),
    cloudbaseInit: await downloadOf(right),
    otherPackage: await downloadOf(other),
    remove: async () => rm(folder, { recursive: true, force: true }),
  };
}

async function makeContainerd(folder: string, signal: AbortSignal): Promise<string> {
  await mkdir(join(folder, 'bin'));
  for (const name of ['containerd.exe', 'ctr.exe', 'containerd-shim-runhcs-v1.exe'])
    await writeFile(join(folder, 'bin', name), talkingProgram(`${name} stand-in v${CONTAINERD_VERSION} 0123abc\n`));
  const archive = join(folder, 'containerd.tar.gz');
  await mustRun(['tar', '-czf', archive, '-C', folder, 'bin'], {}, signal);
  return archive;
}

async function downloadOf(file: string): Promise<Download> {
  return {
    file,
    sha256: createHash('sha256')
      .update(await readFile(file))
      .digest('hex'),
  };
}

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
export interface Piece {
  readonly file: string;
  readonly sha256: string;
}

/** Stand-ins for all that an image is made of, in a folder of their own. */
export interface Pieces {
  readonly folder: string;
  readonly containerd: Piece;
  readonly kubelet: Piece;
  readonly cloudbaseInit: Piece;
  /** A package that is not cloudbase-init's. */
  readonly otherPackage: Piece;
  remove(): Promise<void>;
}

/** Makes the stand-ins: programs that only say who they are, in packages that are real ones. */
export async function makePieces(signal: AbortSignal): Promise<Pieces> {
  const folder = await mkdtemp(join(tmpdir(), 'fenestra-pieces-'));
  const kubelet = join(folder, 'kubelet.exe');
  await writeFile(kubelet, talkingProgram(`Kubernetes ${KUBERNETES_VERSION}\n`));
  const { right, other } = await makeSetupPackages(folder, signal);
  return {
    folder,
    containerd: await pieceOf(await makeContainerd(folder, signal)),
    kubelet: await pieceOf(kubelet),
    cloudbaseInit: await pieceOf(right),
    otherPackage: await pieceOf(other),
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

async function pieceOf(file: string): Promise<Piece> {
  return {
    file,
    sha256: createHash('sha256')
      .update(await readFile(file))
      .digest('hex'),
  };
}

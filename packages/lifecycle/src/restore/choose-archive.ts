import { stat } from 'node:fs/promises';
import { type BackupManifest, readManifest } from '@fenestra/steps';
import { fileError, OperatorError } from '@fenestra/kernel';
import { listArchives, type FoundArchive } from '../backup/archives.ts';

/** What an archive has to fit. */
export interface Fitting {
  /** The node that is on this machine, if one is. */
  readonly nodeName: string | undefined;
  readonly os: BackupManifest['os'];
  readonly arch: BackupManifest['arch'];
}

/** The archive that is meant: the one that was named, or the newest in a folder that is of this kind of machine and node. */
export async function chooseArchive(place: string, passphrase: string | undefined, fitting: Fitting): Promise<string> {
  const found = await stat(place).catch((cause: unknown) => {
    throw fileError(cause, `look for a backup at "${place}"`);
  });
  if (!found.isDirectory()) return place;
  const archives = (await listArchives(place)).filter(({ nodeName }) => nodeName === (fitting.nodeName ?? nodeName));
  refuseSeveralNodes(place, archives);
  for (const { path } of archives) {
    const { os, arch } = await readManifest({ path, passphrase });
    if (os === fitting.os && arch === fitting.arch) return path;
  }
  throw noneFits(place, fitting);
}

/** On a machine without a node no one can determine which one it is meant to become. */
function refuseSeveralNodes(folder: string, archives: readonly FoundArchive[]): void {
  const names = [...new Set(archives.map(({ nodeName }) => nodeName))];
  if (names.length <= 1) return;
  throw new OperatorError('USAGE', `Cannot choose an archive: "${folder}" has backups of ${names.join(', ')}`, {
    hint: 'Name one archive with "--dir FILE".',
  });
}

function noneFits(folder: string, { nodeName, os, arch }: Fitting): OperatorError {
  const whose = nodeName === undefined ? '' : ` of the node "${nodeName}"`;
  return new OperatorError('BACKUP_NOT_FOUND', `Cannot find a backup${whose} for ${os}-${arch} in "${folder}"`, {
    hint: `See what is there with "keadm backup list --dir ${folder}".`,
  });
}

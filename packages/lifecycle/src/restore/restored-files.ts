import { isAbsolute, join } from 'node:path';
import { invalidBackup, portableConfiguration, type BackupFile, digestOfText, podFileName } from '@fenestra/steps';
import type { EdgecoreConfig } from '@fenestra/contracts';
import { type NodeLayout, digestIfAny, pathExists } from '@fenestra/platform';
import { nodeFiles, staticPodsFolder, type SingleRole } from '../node/node-files.ts';

/** A file of the backup and its place on this machine. */
export interface RestoredFile {
  readonly file: BackupFile;
  readonly to: string;
  /** The digest it has at its place. */
  readonly sha256: string;
  /** The digest of what is there now. */
  readonly presentSha256: string | null;
  readonly inPlace: boolean;
}

/** The place of every file of a backup. It follows from what the file is, and from the configuration that comes with it. */
export function placesOf(
  files: readonly BackupFile[],
  layout: NodeLayout,
  config: EdgecoreConfig,
): readonly { readonly file: BackupFile; readonly to: string }[] {
  const single = new Map<string, string>(nodeFiles(layout, config));
  const pods = staticPodsFolder(config);
  const places = files.map((file) => ({
    file,
    to: file.role === 'static-pod' ? join(pods, podFileName(file.path)) : single.get(file.role satisfies SingleRole),
  }));
  const sound = places.flatMap(({ file, to }) => (to === undefined || !isAbsolute(to) ? [] : [{ file, to }]));
  const distinct = new Set(sound.map(({ to }) => to)).size;
  if (distinct < files.length)
    throw invalidBackup('has a configuration in which two files have the same path, or one has none');
  return sound;
}

/** Compares a place with what is to be there. */
export async function lookAtPlace(
  { file, to }: { readonly file: BackupFile; readonly to: string },
  configuration: { readonly wanted: string; readonly present: string | undefined; readonly nodeName: string },
): Promise<RestoredFile> {
  const sha256 = file.role === 'configuration' ? digestOfText(configuration.wanted) : file.sha256;
  const presentSha256 = await digestIfAny(to);
  const inPlace =
    file.role === 'configuration'
      ? isSameConfiguration(configuration)
      : presentSha256 === sha256 && !(file.role === 'database' && (await pathExists(`${to}-wal`)));
  return { file, to, sha256, presentSha256, inPlace };
}

/** A backup has no token in it, so one that is still in place makes no difference. */
function isSameConfiguration({
  wanted,
  present,
  nodeName,
}: {
  readonly wanted: string;
  readonly present: string | undefined;
  readonly nodeName: string;
}): boolean {
  if (present === undefined) return false;
  try {
    return present === wanted || portableConfiguration(present, nodeName) === wanted;
  } catch {
    // One that cannot be read is certainly another.
    return false;
  }
}

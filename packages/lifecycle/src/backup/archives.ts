import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackupSubject } from '@fenestra/steps';
import { fileError } from '@fenestra/kernel';

/** What the name of an archive tells before it is opened. */
export interface ArchiveName {
  readonly nodeName: string;
  readonly version: string;
  /** As in the manifest, to the second. */
  readonly created: string;
  readonly encrypted: boolean;
}

const NAME = /^fenestra-backup-(.+)-(v?\d+\.\d+\.\d+.*|unknown)-(\d{8}T\d{6}Z)\.tar\.gz(\.enc)?$/;

/** The file name of a new archive. Names sort by time within a node and version. */
export function archiveName({ nodeName, version, created }: BackupSubject, encrypted: boolean): string {
  const time = created.replaceAll(/[-:]|\.\d+/g, '');
  return `fenestra-backup-${nodeName}-${plain(version)}-${time}.tar.gz${encrypted ? '.enc' : ''}`;
}

/** Reads a file name; `undefined` if it is not an archive's. */
export function parseArchiveName(fileName: string): ArchiveName | undefined {
  const [, nodeName, version, time, suffix] = NAME.exec(fileName) ?? [];
  if (nodeName === undefined || version === undefined || time === undefined) return undefined;
  return { nodeName, version, created: timeOf(time), encrypted: suffix !== undefined };
}

/** A version comes from a file on the node, so it may hold anything. */
function plain(version: string): string {
  const text = version.replaceAll(/[^\w.+-]/g, '_');
  return /^v?\d+\.\d+\.\d+/.test(text) ? text : 'unknown';
}

function timeOf(compact: string): string {
  return compact.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z');
}

/** An archive in a folder, as far as its name tells. */
export interface FoundArchive extends ArchiveName {
  readonly path: string;
  readonly bytes: number;
}

/** The archives in a folder, the newest first. */
export async function listArchives(folder: string): Promise<readonly FoundArchive[]> {
  const names = await readdir(folder).catch((cause: unknown) => {
    throw fileError(cause, `list the folder "${folder}"`);
  });
  const archives = await Promise.all(names.map(async (name) => findArchive(folder, name)));
  return archives
    .filter((archive) => archive !== undefined)
    .toSorted((one, other) => other.created.localeCompare(one.created) || one.path.localeCompare(other.path));
}

async function findArchive(folder: string, name: string): Promise<FoundArchive | undefined> {
  const reported = parseArchiveName(name);
  if (reported === undefined) return undefined;
  const path = join(folder, name);
  const { size } = await stat(path);
  return { ...reported, path, bytes: size };
}

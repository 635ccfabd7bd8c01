import { chmod, mkdir, open, readdir, readFile, readlink, lstat, rename, rm, symlink } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { systemCodeOf } from '@fenestra/kernel';
import type { VolumeFile } from '@fenestra/pods';

/** What writing a volume takes from the system. */
export interface VolumeTools {
  readonly folderMode: number;
  /** Whether the system keeps permission bits, so that they can be compared. */
  readonly keepsModes: boolean;
  /** Gives a file or folder to its user, if it has one, and its group. */
  setOwner(path: string, uid: number | undefined): Promise<void>;
  removeFolder(path: string): Promise<void>;
  /** Makes or changes a link to a folder beside it. Returns false, with nothing made, where there are no links. */
  linkFolder(link: string, target: string): Promise<boolean>;
}

/** The link that readers go through: changing it changes every file at once. */
const CURRENT = '..data';

/**
 * Makes the files of a volume exactly these. A reader sees either all old files or all new ones, also after this was
 * killed; on a file system without links, that holds for each file alone. Files that are the same already are left alone.
 */
export async function writeAtomically(folder: string, files: readonly VolumeFile[], tools: VolumeTools): Promise<void> {
  await makeFolder(folder, tools);
  const current = await readlink(join(folder, CURRENT)).catch(() => undefined);
  const isDone = await isSame(join(folder, current ?? '.'), files, tools);
  // First, so that what is left of attempts on a full disk does not keep it full.
  await removeStale(folder, current, tools);
  if (isDone) return;
  const version = `..${new Date().toISOString().replaceAll(/[^0-9]/g, '')}.${process.hrtime.bigint()}`;
  await writeVersion(join(folder, version), files, tools);
  const isLinked = await tools.linkFolder(join(folder, CURRENT), version);
  await (isLinked ? linkNames(folder, topNames(files)) : moveFiles(folder, version, files, tools));
  await removeStale(folder, isLinked ? version : undefined, tools);
}

async function isSame(folder: string, files: readonly VolumeFile[], { keepsModes }: VolumeTools): Promise<boolean> {
  if ((await filesIn(folder)).length !== files.length) return false;
  for (const { path, content, mode } of files) {
    const file = join(folder, path);
    const present = await readFile(file).catch(() => undefined);
    if (present === undefined || !present.equals(content)) return false;
    if (keepsModes && ((await lstat(file)).mode & 0o777) !== mode) return false;
  }
  return true;
}

/** The files of a version, or of a volume without links, by their paths in it. */
async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .filter((path) => !path.startsWith('..'));
}

async function writeVersion(version: string, files: readonly VolumeFile[], tools: VolumeTools): Promise<void> {
  await makeFolder(version, tools);
  for (const { path, content, mode, uid } of files) {
    const file = join(version, path);
    await makeFolders(version, path, tools);
    // Where there are no permission bits, a mode could still keep the file from being replaced.
    const handle = await open(file, 'wx', tools.keepsModes ? mode : undefined);
    try {
      await handle.writeFile(content);
      // The mode of `open` is cut by the umask.
      if (tools.keepsModes) await handle.chmod(mode);
    } finally {
      await handle.close();
    }
    await tools.setOwner(file, uid);
  }
}

/** Makes the folders that a path has below its volume, from the outermost in. */
async function makeFolders(folder: string, path: string, tools: VolumeTools): Promise<void> {
  const parts = path.split('/').slice(0, -1);
  for (const depth of parts.keys()) await makeFolder(join(folder, ...parts.slice(0, depth + 1)), tools);
}

/** With its mode, whatever the umask of the agent is: containers run as any user. */
async function makeFolder(folder: string, tools: VolumeTools): Promise<void> {
  await mkdir(folder, { recursive: true });
  await tools.setOwner(folder, undefined);
  await chmod(folder, tools.folderMode);
}

function topNames(files: readonly VolumeFile[]): ReadonlySet<string> {
  return new Set(files.flatMap(({ path }) => path.split('/')[0] ?? []));
}

async function linkNames(folder: string, names: ReadonlySet<string>): Promise<void> {
  for (const name of names) {
    await symlink(join(CURRENT, name), join(folder, name)).catch((error: unknown) => {
      if (systemCodeOf(error) !== 'EEXIST') throw error;
    });
  }
  for (const name of await readdir(folder)) {
    if (!name.startsWith('..') && !names.has(name)) await rm(join(folder, name), { force: true });
  }
}

async function moveFiles(
  folder: string,
  version: string,
  files: readonly VolumeFile[],
  tools: VolumeTools,
): Promise<void> {
  for (const { path } of files) {
    await makeFolders(folder, path, tools);
    await rename(join(folder, version, path), join(folder, path));
  }
  const wanted = new Set(files.map(({ path }) => join(path)));
  for (const path of await filesIn(folder)) if (!wanted.has(path)) await rm(join(folder, path));
}

/** Versions that a former call left behind. */
async function removeStale(folder: string, current: string | undefined, tools: VolumeTools): Promise<void> {
  for (const name of await readdir(folder)) {
    const isVersion = name.startsWith('..') && name !== current && name !== (current && CURRENT);
    if (isVersion) await tools.removeFolder(join(folder, name));
  }
}

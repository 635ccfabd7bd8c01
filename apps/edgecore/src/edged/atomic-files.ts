import { chmod, lstat, mkdir, open, readdir, readFile, readlink, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
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
}

/** The link that readers go through: changing it changes every file at once. */
const CURRENT = '..data';
const NEXT = '..data_next';

/**
 * Makes the files of a volume exactly these. A reader sees either all old files or all new ones, also after this was
 * killed. Files that are the same already are left alone.
 */
export async function writeAtomically(folder: string, files: readonly VolumeFile[], tools: VolumeTools): Promise<void> {
  await makeFolder(folder, tools);
  const current = await readlinkIfAny(join(folder, CURRENT));
  if (current !== undefined && (await isSame(join(folder, current), files, tools)))
    return removeStale(folder, current, tools);
  // First, so that what is left of attempts on a full disk does not keep it full.
  await removeStale(folder, current, tools);
  const version = `..${new Date().toISOString().replaceAll(/[^0-9]/g, '')}.${process.hrtime.bigint()}`;
  await writeVersion(join(folder, version), files, tools);
  await rm(join(folder, NEXT), { force: true });
  await symlink(version, join(folder, NEXT), 'dir');
  await rename(join(folder, NEXT), join(folder, CURRENT));
  await linkNames(folder, topNames(files));
  await removeStale(folder, version, tools);
}

async function readlinkIfAny(path: string): Promise<string | undefined> {
  return readlink(path).catch(() => undefined);
}

async function isSame(version: string, files: readonly VolumeFile[], { keepsModes }: VolumeTools): Promise<boolean> {
  if ((await countFiles(version)) !== files.length) return false;
  for (const { path, content, mode } of files) {
    const file = join(version, path);
    const present = await readFile(file).catch(() => undefined);
    if (present === undefined || !present.equals(content)) return false;
    if (keepsModes && ((await lstat(file)).mode & 0o777) !== mode) return false;
  }
  return true;
}

async function countFiles(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).length;
}

async function writeVersion(version: string, files: readonly VolumeFile[], tools: VolumeTools): Promise<void> {
  await makeFolder(version, tools);
  for (const { path, content, mode, uid } of files) {
    const file = join(version, path);
    for (const parent of foldersOf(path)) await makeFolder(join(version, parent), tools);
    const handle = await open(file, 'wx', mode);
    try {
      await handle.writeFile(content);
      // The mode of `open` is cut by the umask.
      await handle.chmod(mode);
    } finally {
      await handle.close();
    }
    await tools.setOwner(file, uid);
  }
}

/** The folders of a path below its volume, from the outermost in. */
function foldersOf(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
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

/** Versions that a former call left behind. */
async function removeStale(folder: string, current: string | undefined, tools: VolumeTools): Promise<void> {
  for (const name of await readdir(folder)) {
    const isVersion = name.startsWith('..') && name !== CURRENT && name !== current;
    if (isVersion) await tools.removeFolder(join(folder, name));
  }
}

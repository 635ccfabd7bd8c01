import type { Stats } from 'node:fs';
import { lstat, readlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { systemCodeOf } from '@fenestra/kernel';

/** By which rule a path is judged. */
export interface ExposureRule {
  /** Whose files are trusted. */
  readonly users: readonly number[];
  /** Whether others may add to the folder that the path ends in, as to `/tmp`: what they cannot do is replace what is there. */
  readonly sharedFolder: boolean;
  /** Whether others must not be able to create what is missing. */
  readonly creates: boolean;
}

const STICKY = 0o1000;
const OTHERS_WRITE = 0o022;
/** As many as the kernel follows. */
const MOST_LINKS = 40;

/** Why another account could change what is at this path, or lead the path elsewhere. Every link on the way is followed. */
export async function exposuresOf(path: string, rule: ExposureRule): Promise<readonly string[]> {
  const problems = new Set<string>();
  let names = namesOf(resolve(path));
  let folder = '/';
  let folderRights: Stats = await lstat(folder);
  for (let links = 0; names.length > 0;) {
    const [name = '', ...rest] = names;
    const here = join(folder, name);
    const rights = await lstatIfAny(here);
    if (rights === undefined) {
      if (rule.creates && othersMayWrite(folderRights)) problems.add(`others can create "${here}"`);
      break;
    }
    if (!rule.users.includes(rights.uid)) problems.add(`"${here}" belongs to user ${rights.uid}`);
    if (rights.isSymbolicLink()) {
      if ((links += 1) > MOST_LINKS) return [...problems, `"${here}" leads through too many links`];
      const target = resolve(folder, await readlink(here));
      [names, folder, folderRights] = [[...namesOf(target), ...rest], '/', await lstat('/')];
    } else {
      const isGuarded = isStickyFolder(rights) && (rest.length > 0 || rule.sharedFolder);
      if (othersMayWrite(rights) && !isGuarded) problems.add(`others can write to "${here}"`);
      [names, folder, folderRights] = [rest, here, rights];
    }
  }
  return [...problems];
}

function namesOf(path: string): readonly string[] {
  return path.split('/').filter((name) => name !== '');
}

/** The bits of the group stand for the mask of an access control list, too. */
function othersMayWrite({ mode }: Stats): boolean {
  return (mode & OTHERS_WRITE) !== 0;
}

/** In a sticky folder, such as `/tmp`, no one can rename or delete what belongs to another. */
function isStickyFolder(rights: Stats): boolean {
  return rights.isDirectory() && (rights.mode & STICKY) !== 0;
}

async function lstatIfAny(path: string): Promise<Stats | undefined> {
  return lstat(path).catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(systemCodeOf(error))) return undefined;
    throw error;
  });
}

import { readFile } from 'node:fs/promises';
import * as z from 'zod';

const Locked = z.looseObject({
  name: z.string().optional(),
  version: z.string().optional(),
  integrity: z.string().optional(),
  license: z.string().optional(),
  link: z.boolean().optional(),
});
const LockFile = z.looseObject({ packages: z.record(z.string(), Locked) });

/** A package as npm has locked it. */
export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** As npm writes it: `sha512-` and the digest in base64. */
  readonly integrity: string;
  readonly license: string | undefined;
}

/** Everything a lockfile has from elsewhere, by the folder it is installed in. */
export type LockedPackages = ReadonlyMap<string, LockedPackage>;

/** Reads a `package-lock.json`. */
export async function readLockFile(path: string): Promise<LockedPackages> {
  const { packages } = LockFile.parse(JSON.parse(await readFile(path, 'utf8')));
  const found = new Map<string, LockedPackage>();
  for (const [folder, { name, version, integrity, license }] of Object.entries(packages)) {
    if (version === undefined || integrity === undefined) continue;
    found.set(folder, { name: name ?? nameIn(folder), version, integrity, license });
  }
  return found;
}

/** The folder of the package that a file belongs to; `undefined` if it is one of our own. */
export function packageFolderOf(file: string): string | undefined {
  const [, folder] = /^((?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file) ?? [];
  return folder;
}

function nameIn(folder: string): string {
  return folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

import { join, relative } from 'node:path';
import { bundledFiles } from '../../bundle-program.ts';
import type { Target } from '../../targets.ts';
import type { SbomPart } from './cyclone-dx.ts';
import { type LockedPackage, packageFolderOf, readLockFile } from './lock-file.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const RUNTIMES = join(ROOT, 'build', 'runtimes');
const LOCK_FILE = 'package-lock.json';

interface Found {
  readonly target: string;
  readonly kind: SbomPart['kind'];
  readonly package: LockedPackage;
}

/** What others have made of the programs for these targets: what is in the bundles, the Node.js below, the addons beside. */
export async function findParts(targets: readonly Target[]): Promise<readonly SbomPart[]> {
  const found = await Promise.all(
    targets.map(async (target) => [...(await librariesOf(target)), ...(await runtimeOf(target))]),
  );
  const byPackage = Map.groupBy(found.flat(), ({ package: { name, version } }) => `${name}@${version}`);
  return [...byPackage.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ ...first, targets: [...new Set([first, ...others].map(({ target }) => target))] }],
  );
}

async function librariesOf(target: Target): Promise<readonly Found[]> {
  const locked = await readLockFile(join(ROOT, LOCK_FILE));
  const folders = new Set((await bundledFiles(target)).map(packageFolderOf).filter((folder) => folder !== undefined));
  return [...folders].map((folder) => ({ target: target.name, kind: 'library', package: mustHave(locked, folder) }));
}

async function runtimeOf({ name, runtime, assets }: Target): Promise<readonly Found[]> {
  const locked = await readLockFile(join(RUNTIMES, LOCK_FILE));
  const packageOf = (file: string): LockedPackage => mustHave(locked, packageFolderOf(relative(RUNTIMES, file)));
  return [
    { target: name, kind: 'platform', package: packageOf(runtime) },
    ...Object.values(assets).map((file): Found => ({ target: name, kind: 'library', package: packageOf(file) })),
  ];
}

/** Whatever is in a program has to be in its lockfile: a list with a gap would be worse than none. */
function mustHave(locked: ReadonlyMap<string, LockedPackage>, folder: string | undefined): LockedPackage {
  const found = locked.get(folder ?? '');
  if (found === undefined) throw new Error(`"${folder}" is in the program, but not in the lockfile`);
  return found;
}

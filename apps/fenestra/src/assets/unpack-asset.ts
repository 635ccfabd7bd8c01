import { createHash, randomUUID } from 'node:crypto';
import { lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, win32 } from 'node:path';
import { OperatorError } from '@fenestra/kernel';

/** A file carried inside the executable. */
export interface Asset {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/**
 * Puts an asset on disk for the system to load, and returns its path. The folders must be ones that only this user or
 * administrators can write to; the first that works is used. What is already there counts only if its digest is right.
 */
export async function unpackAsset(asset: Asset, folders: readonly string[]): Promise<string> {
  const digest = sha256(asset.bytes);
  const refusals: string[] = [];
  for (const folder of folders) {
    const path = join(folder, digest.slice(0, 32), asset.name);
    try {
      if (await isIntact(path, digest)) return path;
      await place(asset, join(folder, digest.slice(0, 32)), path);
      if (await isIntact(path, digest)) return path;
      refusals.push(`"${path}" does not hold what was written to it`);
    } catch (error) {
      refusals.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new OperatorError('ASSET_INVALID', `Cannot unpack "${asset.name}": ${refusals.join('; ')}`, {
    hint: `Make one of these folders writable for this user only: ${folders.join(', ')}.`,
  });
}

async function isIntact(path: string, digest: string): Promise<boolean> {
  const bytes = await readFile(path).catch(() => undefined);
  return bytes !== undefined && sha256(bytes) === digest && (await lstat(path)).isFile();
}

async function place({ bytes }: Asset, folder: string, path: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, randomUUID());
  try {
    await writeFile(draft, bytes, { mode: 0o600, flag: 'wx', flush: true });
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/**
 * Where an addon can be put on Windows so that no ordinary user but this one can change it, best first: Program Files,
 * which takes an administrator to write to, and the user's own profile. The environment is a hint only, believed where
 * it names what Windows itself would; `home` must come from the system, not from the environment.
 *
 * What remains: the drive is the environment's word. But the file is checked by its digest right before it is loaded,
 * so harm could be done only by who can change it in between and has set this process's environment: an administrator
 * or this very user.
 */
export function privateFolders(environment: NodeJS.ProcessEnv, home: string | undefined): readonly string[] {
  const own = home === undefined ? [] : [localFolder(environment['LOCALAPPDATA'], home)];
  return [programFiles(environment), ...own].map((folder) => win32.join(folder, 'Fenestra', 'native'));
}

function programFiles({ SystemDrive = '', ProgramFiles = '' }: NodeJS.ProcessEnv): string {
  const expected = `${SystemDrive}\\Program Files`;
  const believable = /^[a-z]:$/i.test(SystemDrive) && ProgramFiles.toLowerCase() === expected.toLowerCase();
  return believable ? ProgramFiles : 'C:\\Program Files';
}

function localFolder(reported: string | undefined, home: string): string {
  return reported !== undefined && isBelow(reported, home) ? reported : win32.join(home, 'AppData', 'Local');
}

function isBelow(path: string, folder: string): boolean {
  if (!win32.isAbsolute(path)) return false;
  const relative = win32.relative(folder.toLowerCase(), path.toLowerCase());
  return relative !== '' && !win32.isAbsolute(relative) && relative.split('\\', 1)[0] !== '..';
}

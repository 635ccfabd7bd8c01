import { mkdir, realpath } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileError, OperatorError, systemCodeOf } from '@fenestra/kernel';
import type { VolumePart } from '@fenestra/platform';

/**
 * Where a part of a volume really is, if that is inside of the volume. Windows cannot hold it there: a container that
 * exchanges it for a link between this and the mount is not noticed.
 */
export async function openVolumePart(part: VolumePart): Promise<string> {
  try {
    const volume = await realpath(part.volume);
    const wanted = join(volume, part.path);
    if (part.create) await makeFolder(part, volume, wanted);
    return inside(part, volume, await realpath(wanted));
  } catch (cause) {
    throw fileError(cause, `open "${part.path}" in the volume`);
  }
}

/** Checked before anything is made: a folder must not be made outside either. */
async function makeFolder(part: VolumePart, volume: string, wanted: string): Promise<void> {
  const { path, real } = await nearest(wanted);
  inside(part, volume, real);
  if (path !== wanted) await mkdir(join(real, relative(path, wanted)), { recursive: true });
}

/** The nearest part of a path that exists. */
async function nearest(path: string): Promise<{ readonly path: string; readonly real: string }> {
  try {
    return { path, real: await realpath(path) };
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT' || dirname(path) === path) throw error;
    return nearest(dirname(path));
  }
}

function inside({ path }: VolumePart, volume: string, real: string): string {
  const [folder, found] = [volume, real].map((each) => each.toLowerCase());
  if (found === folder || found?.startsWith(`${folder}${sep}`) === true) return real;
  throw new OperatorError('UNSAFE_PATH', `Cannot open "${path}" in the volume: a link on it leads out of the volume`, {
    hint: 'Remove the link from the volume, or name another sub path.',
  });
}

import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { OperatorError, systemCodeOf } from '@fenestra/kernel';

/**
 * The path with all links in its parents resolved, proved to be strictly inside `root`; `undefined` if it is absent.
 * The last part is not resolved: if it is a link, the link itself is meant.
 */
export async function pathInside(path: string, root: string): Promise<string | undefined> {
  if (!isAbsolute(path) || !isAbsolute(root) || !isStrictlyInside(resolve(path), resolve(root)))
    throw unsafe(path, root);
  const [parent, realRoot] = await Promise.all([realPathOf(dirname(resolve(path))), realPathOf(root)]);
  if (parent === undefined || realRoot === undefined) return undefined;
  const real = join(parent, basename(resolve(path)));
  if (!isStrictlyInside(real, realRoot)) throw unsafe(path, root);
  return real;
}

/** Whether `path` is below `root`, judged by the text alone; both must be absolute and normal. */
export function isStrictlyInside(path: string, root: string): boolean {
  return path !== root && path.startsWith(root === '/' ? root : `${root}/`);
}

async function realPathOf(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCodeOf(error))) return undefined;
    throw error;
  }
}

function unsafe(path: string, root: string): OperatorError {
  return new OperatorError('UNSAFE_PATH', `Cannot delete "${path}", which is not inside "${root}"`, {
    hint: 'Give a path inside the folder that may be cleaned.',
  });
}

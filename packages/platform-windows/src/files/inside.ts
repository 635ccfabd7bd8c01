import { win32 } from 'node:path';

/** Whether `path` is below `root` and not `root` itself, by their names alone. Windows does not tell cases apart. */
export function isStrictlyInside(path: string, root: string): boolean {
  const relative = win32.relative(canonical(root), canonical(path));
  return relative !== '' && !win32.isAbsolute(relative) && relative.split('\\', 1)[0] !== '..';
}

function canonical(path: string): string {
  // The prefix of long paths is no part of the place.
  return win32.resolve(path.replace(/^\\\\\?\\(?=[A-Za-z]:)/, '')).toLowerCase();
}

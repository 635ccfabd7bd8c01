import { isSea } from 'node:sea';

/** How this program starts itself: the executable alone, or Node and the entry file when run from the sources. */
export function ownCommand(): readonly string[] {
  const [, entry = ''] = process.argv;
  return isSea() ? [process.execPath] : [process.execPath, entry];
}

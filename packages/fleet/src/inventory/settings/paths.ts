import { isAbsolute, join, resolve } from 'node:path';

/** Makes paths of a batch file absolute: `~` is the home folder, all others begin at the folder of the file. */
export interface PathResolver {
  readonly folder: string;
  resolve(written: string): string;
}

/** Paths as they are meant in a file of this folder. */
export function pathsFrom(folder: string, variables: Readonly<Record<string, string | undefined>>): PathResolver {
  const home = variables['HOME'] ?? variables['USERPROFILE'];
  return {
    folder,
    resolve(written) {
      if (home !== undefined && /^~[/\\]/.test(written)) return join(home, written.slice(2));
      return isAbsolute(written) ? written : resolve(folder, written);
    },
  };
}

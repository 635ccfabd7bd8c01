import { resolve } from 'node:path';
import { Option } from 'commander';

/** `--root DIR`: a whole node below one folder, without administrator rights where the system allows it. */
export function rootOption(): Option {
  return new Option('--root <folder>', 'store all files of the node below this folder').argParser((path) =>
    resolve(path),
  );
}

/** The flag's value as commands receive it. */
export interface RootFlag {
  readonly root?: string;
}

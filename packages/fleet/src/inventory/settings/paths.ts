import { stat } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { systemCodeOf } from '@fenestra/kernel';
import type { Findings } from './findings.ts';

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

/** Files and folders of this machine that a batch file needs. */
export interface NeededPaths {
  needsFile(written: string, field: string): void;
  needsFolder(written: string, field: string): void;
  /** Looks for all of them; each once, however many nodes name it. */
  check(findings: Findings): Promise<void>;
}

/** Collects them while the file is read, to look for them all together. */
export function collectPaths(paths: PathResolver): NeededPaths {
  const needed = new Map<string, 'file' | 'folder'>();
  const fields = new Map<string, Set<string>>();
  const need = (kind: 'file' | 'folder') => (written: string, field: string) => {
    const path = paths.resolve(written);
    needed.set(path, kind);
    fields.set(path, (fields.get(path) ?? new Set()).add(field));
  };
  return {
    needsFile: need('file'),
    needsFolder: need('folder'),
    async check(findings) {
      for (const [path, kind] of needed) {
        const problem = await problemOf(path, kind);
        if (problem !== undefined) for (const field of fields.get(path) ?? []) findings.problem(field, problem);
      }
    },
  };
}

async function problemOf(path: string, kind: 'file' | 'folder'): Promise<string | undefined> {
  try {
    const found = await stat(path);
    if (kind === 'folder' ? found.isDirectory() : found.isFile()) return undefined;
    return `names "${path}", which is not a ${kind}`;
  } catch (cause) {
    return systemCodeOf(cause) === 'ENOENT'
      ? `names "${path}", which is not there`
      : `names "${path}", which cannot be read (${systemCodeOf(cause)})`;
  }
}

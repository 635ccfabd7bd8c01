import { glob, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fits } from '../host-keys/host-pattern.ts';

/**
 * The files that an `Include` means, if they are there. It is a folder with a star in almost every ssh_config, which needs
 * no more than that folder's names: what Node.js looks for other patterns with takes longer to load than all else that is
 * done here.
 */
export async function includedFiles(pattern: string): Promise<readonly string[]> {
  const [folder, name] = [dirname(pattern), basename(pattern)];
  if (/[*?[{]/.test(folder) || /[[{\\]/.test(name)) return lookFor(pattern);
  if (!/[*?]/.test(name)) return [pattern];
  const names = await readdir(folder).catch(() => []);
  return names.filter((each) => isShown(each, name) && fits(name, each)).map((each) => join(folder, each));
}

/** A star at the beginning stands for no dot. */
function isShown(name: string, pattern: string): boolean {
  return !name.startsWith('.') || pattern.startsWith('.');
}

async function lookFor(pattern: string): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const file of glob(pattern)) found.push(file);
  return found;
}

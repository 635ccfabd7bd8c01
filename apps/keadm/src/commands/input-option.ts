import { resolve, dirname, join } from 'node:path';
import { readdir } from 'node:fs/promises';
import { Option, type Command } from 'commander';
import { OperatorError } from '@fenestra/kernel/errors';
import type { AccessControl, NodeLayout, PathUse } from '@fenestra/platform';
import type { KeadmEnvironment } from '../platform.ts';

/**
 * An option that names a file or folder which the command reads or runs. Before the command starts, a privileged one
 * refuses what another account can change.
 */
export class InputOption extends Option {}

/** Judges the files that the options of this command line name. */
export async function requireSafeOptions({ loadPlatform }: KeadmEnvironment, command: Command): Promise<void> {
  // The paths in a script for another machine are paths there.
  if (command.getOptionValue('printScript') !== undefined) return;
  const named = command.options
    .filter((option) => option instanceof InputOption)
    .flatMap((option): string | readonly string[] => command.getOptionValue(option.attributeName()) ?? []);
  if (named.length === 0) return;
  await requireSafeInputs((await loadPlatform(command.opts<RootFlag>().root)).access, named);
}

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

type Access = Pick<AccessControl, 'exposures'>;

/**
 * Throws `UNSAFE_PATH` if another account could change a node that is kept here. What is in its folders is judged as well:
 * they may have been another account's before. Nothing is written before.
 */
export async function requireSafeNode(access: Access, layout: NodeLayout, root: string | undefined): Promise<void> {
  // Outside of its root, the folder of programs is the system's.
  const own = Object.values(layout).filter((path) => root !== undefined || !isWithin(layout.programFolder, path));
  await requireSafePaths(access, [...own, ...(await entriesOf(layout.configFolder))]);
}

/** The same for single paths of a node. */
export async function requireSafePaths(access: Access, paths: readonly string[]): Promise<void> {
  const problems = await exposuresOf(access, paths, 'node');
  if (problems.length === 0) return;
  throw new OperatorError('UNSAFE_PATH', `Cannot store a node here: ${problems.join(', ')}`, {
    hint: 'Let only administrators write to these folders: with "chown root" and "chmod go-w" on Linux, "icacls" on Windows.',
  });
}

/** The same for files and folders that a privileged command reads or runs, and for the files in such a folder. */
export async function requireSafeInputs(access: Access, paths: readonly (string | undefined)[]): Promise<void> {
  const local = paths.filter((path) => path !== undefined).filter((path) => !/^https?:/i.test(path));
  const inside = await Promise.all(local.map(filesIn));
  await requireSafe(access, [...local, ...inside.flat()], 'input');
}

/** The same for a folder that a privileged command writes to. Others may add to it, as to `/tmp`. */
export async function requireSafeOutput(access: Access, folder: string): Promise<void> {
  await requireSafe(access, [folder], 'output');
}

async function requireSafe(access: Access, paths: readonly string[], use: PathUse): Promise<void> {
  const problems = await exposuresOf(access, paths, use);
  if (problems.length === 0) return;
  throw new OperatorError('UNSAFE_PATH', `Cannot use files that others can change: ${problems.join(', ')}`, {
    hint: 'Copy them to a folder that only an administrator can write to, and check them there.',
  });
}

async function exposuresOf(access: Access, paths: readonly string[], use: PathUse): Promise<readonly string[]> {
  const found = await Promise.all(paths.map(async (path) => access.exposures(path, use)));
  return [...new Set(found.flat())];
}

function isWithin(folder: string, path: string): boolean {
  return path === folder || dirname(path) === folder;
}

async function entriesOf(folder: string): Promise<readonly string[]> {
  return (await readdir(folder).catch(() => [])).map((name) => join(folder, name));
}

/** The files in a folder. Its subfolders may be about other things. */
async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => !entry.isDirectory()).map(({ name }) => join(folder, name));
}

import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ERROR_CODES, OperatorError, fileError } from '@fenestra/kernel';
import { hasProject, validateProject, type ProjectProblem } from '@fenestra/imaging';
import { Command } from 'commander';
import type { CommandContext } from '../../cli/program.ts';
import type { CommandResult } from '../../cli/result.ts';
import { checkWithPacker } from './packer.ts';

/** `keadm image validate DIR`: every problem at once. */
export function imageValidateCommand({ environment, deliver }: CommandContext): Command {
  return new Command('validate')
    .description('Check the settings and files of a Packer project, and its syntax if Packer is installed')
    .argument('<folder>', 'folder of the project')
    .action(async (folder: string) => {
      const files = await readProjectFolder(folder);
      if (!hasProject(files)) throw noProject(folder);
      const problems = [...(await checkWithPacker(files, environment.signal)), ...validateProject(files)];
      deliver(resultOf(folder, problems));
    });
}

function resultOf(folder: string, problems: readonly ProjectProblem[]): CommandResult {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const notes = problems.filter(({ severity }) => severity === 'note');
  const head =
    errors.length === 0 ? `"${folder}" is valid` : `"${folder}" cannot be built: ${errors.length} problem(s)`;
  const text = [head, ...errors.map(lineOf), ...notes.map(lineOf)].join('\n');
  const exitCode = errors.length === 0 ? 0 : ERROR_CODES.CONFIG_INVALID;
  return { data: { folder, valid: errors.length === 0, problems }, text, exitCode };
}

function lineOf({ file, line, severity, message }: ProjectProblem): string {
  const place = file === undefined ? '' : `${file}:${line} `;
  return `  ${place}${severity === 'note' ? 'note: ' : ''}${message}`;
}

function noProject(folder: string): OperatorError {
  return new OperatorError('USAGE', `Cannot check "${folder}": there is no ".pkr.hcl" file in it`, {
    hint: 'Give the folder that "keadm image init" wrote.',
  });
}

const MOST_DEPTH = 5;
/** Larger files are not text of a project; that they are there is all that matters. */
const MOST_BYTES = 1024 * 1024;
/** What Packer and its kin keep for themselves. */
const NOT_OURS = ['.git', 'packer_cache', 'node_modules', 'output'];

/** The files below a folder by their paths, with `/`; Packer itself reads those at the top alone. */
async function readProjectFolder(folder: string): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  await addFiles(folder, '', files);
  return files;
}

async function addFiles(folder: string, prefix: string, files: Map<string, string>): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    throw fileError(cause, `read the folder "${folder}"`);
  });
  for (const entry of entries) {
    const [path, shown] = [join(folder, entry.name), `${prefix}${entry.name}`];
    const text = entry.isFile() || entry.isSymbolicLink() ? await textIfFile(path) : undefined;
    if (text !== undefined) files.set(shown, text);
    else if (entry.isDirectory() && !NOT_OURS.includes(entry.name) && shown.split('/').length < MOST_DEPTH)
      await addFiles(path, `${shown}/`, files);
  }
}

/** `undefined` for a link that leads to a folder. */
async function textIfFile(path: string): Promise<string | undefined> {
  try {
    const found = await stat(path);
    if (!found.isFile()) return undefined;
    return found.size > MOST_BYTES ? '' : await readFile(path, 'utf8');
  } catch (cause) {
    throw fileError(cause, `read "${path}"`);
  }
}

import { ERROR_CODES, OperatorError } from '@fenestra/kernel';
import { hasProject, validateProject, type ProjectProblem } from '@fenestra/imaging';
import { Command } from 'commander';
import type { CommandContext } from '../../cli/program.ts';
import type { CommandResult } from '../../cli/result.ts';
import { readProjectFolder } from './read-project-folder.ts';

/** `keadm image validate DIR`: every problem at once, without Packer. */
export function imageValidateCommand({ deliver }: CommandContext): Command {
  return new Command('validate')
    .description('Check a Packer project and print all problems: names, overrides, checksums, files')
    .argument('<folder>', 'folder of the project')
    .action(async (folder: string) => {
      const files = await readProjectFolder(folder);
      if (!hasProject(files)) throw noProject(folder);
      deliver(resultOf(folder, validateProject(files)));
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
  return `  ${file}:${line} ${severity === 'note' ? 'note: ' : ''}${message}`;
}

function noProject(folder: string): OperatorError {
  return new OperatorError('USAGE', `Cannot check "${folder}": there is no ".pkr.hcl" file in it`, {
    hint: 'Give the folder that "keadm image init" wrote.',
  });
}

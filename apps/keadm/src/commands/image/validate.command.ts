import { ERROR_CODES, OperatorError } from '@fenestra/kernel';
import { hasProject, validateProject, type ProjectProblem } from '@fenestra/imaging';
import { Command } from 'commander';
import type { CommandContext } from '../../cli/program.ts';
import type { CommandResult } from '../../cli/result.ts';
import { checkWithPacker } from './packer.ts';
import { readProjectFolder } from './read-project-folder.ts';

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

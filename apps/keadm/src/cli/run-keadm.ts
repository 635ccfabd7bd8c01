import { OperatorError } from '@fenestra/kernel/errors';
import { CommanderError, type Command } from 'commander';
import type { KeadmEnvironment } from '../platform.ts';
import { buildProgram } from './program.ts';
import { reportError } from './report-error.ts';
import { usageError } from './usage-error.ts';

/** Runs one keadm command line and returns the exit code. It never throws and never ends the process. */
export async function runKeadm(typed: readonly string[], environment: KeadmEnvironment): Promise<number> {
  let exitCode = 0;
  const args = typed[0] === '--version' ? ['version', ...typed.slice(1)] : typed;
  const program = await buildProgram(args, environment, (result) => {
    exitCode = result.exitCode;
    if (result.streamed === true && wantsJson(args)) return;
    environment.terminal.out(
      wantsJson(args) ? `${JSON.stringify(result.data, undefined, 2)}\n` : withNewline(result.text),
    );
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (isHelp(error)) return 0;
    if (isMissingCommand(error)) return reportError(missingCommand(), wantsJson(args), environment.terminal);
    return reportError(asOperatorError(error, program), wantsJson(args), environment.terminal);
  }
}

/** Read from the words themselves, so that even a command line that cannot be parsed answers in the wanted form. */
function wantsJson(args: readonly string[]): boolean {
  return args.some((word, index) => word === '--output=json' || (word === 'json' && isOutputFlag(args[index - 1])));
}

function isOutputFlag(word: string | undefined): boolean {
  return word === '--output' || word === '-o';
}

function isHelp(error: unknown): boolean {
  return error instanceof CommanderError && error.exitCode === 0;
}

function isMissingCommand(error: unknown): boolean {
  return error instanceof CommanderError && error.code === 'commander.help';
}

function missingCommand(): OperatorError {
  return new OperatorError('USAGE', 'Missing command', { hint: 'Add "--help" to see which there are.' });
}

function asOperatorError(error: unknown, program: Command): unknown {
  return error instanceof CommanderError ? usageError(error, program) : error;
}

function withNewline(text: string): string {
  return text === '' ? '' : `${text}\n`;
}

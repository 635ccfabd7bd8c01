import { rm, writeFile } from 'node:fs/promises';
import { OperatorError } from '@fenestra/kernel';
import type { Command } from 'commander';
import { type CommandResult, success } from '../../cli/result.ts';
import { errorText } from '../../cli/report-error.ts';
import type { CommandContext } from '../../cli/program.ts';

/** Writes down why the work failed: installers show no one what a program says. Success leaves no file. */
export async function withReport(file: string, work: () => Promise<CommandResult>): Promise<CommandResult> {
  await report(file, '');
  try {
    const result = await work();
    await report(file, result.exitCode === 0 ? '' : result.text);
    return result;
  } catch (error) {
    await report(file, error instanceof OperatorError ? errorText(error) : String(error));
    throw error;
  }
}

/** Exclusively, because others may write to the folder. That there is no report must not change how the work ends. */
async function report(file: string, text: string): Promise<void> {
  if (file === '') return;
  try {
    await rm(file, { force: true });
    if (text !== '') await writeFile(file, `${text}\n`, { flag: 'wx', mode: 0o600 });
  } catch {
    // Then no one reads it.
  }
}

/** Runs another command of keadm in this very process, as if these words had been typed, and returns its result. */
export async function runCommand(
  context: CommandContext,
  makeCommand: (context: CommandContext) => Command,
  words: readonly string[],
): Promise<CommandResult> {
  let result = success({}, '');
  const command = makeCommand({ ...context, deliver: (delivered) => (result = delivered) });
  const silent = { writeOut: () => {}, writeErr: () => {}, outputError: () => {} };
  await command.exitOverride().configureOutput(silent).parseAsync(words, { from: 'user' });
  return result;
}

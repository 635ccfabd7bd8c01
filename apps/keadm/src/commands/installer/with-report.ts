import { rm, writeFile } from 'node:fs/promises';
import { OperatorError } from '@fenestra/kernel';
import type { CommandResult } from '../../cli/result.ts';
import { errorText } from '../../cli/report-error.ts';

/** Writes down why the work failed: installers show nobody what a program says. Success leaves no file. */
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
    // Then nobody reads it.
  }
}

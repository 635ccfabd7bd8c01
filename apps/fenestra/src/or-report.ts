import { OperatorError } from '@fenestra/kernel';
import { standardTerminal } from './terminal.ts';

/** Runs a role that has no command line of its own to report errors in; returns its exit code. */
export async function orReport(role: () => Promise<number>): Promise<number> {
  try {
    return await role();
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    standardTerminal().err(`Error: ${error.message}\nHint: ${error.hint}\n`);
    return error.exitCode;
  }
}

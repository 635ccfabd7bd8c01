import { CommanderError, type Command } from 'commander';
import type { KeadmEnvironment, Terminal } from '../platform.ts';
import { outputFormat, type OutputFlag, type CommandResult } from './result.ts';
import { buildProgram } from './program.ts';
import { reportError } from './report-error.ts';

/** Runs one keadm command line and returns the exit code. It never throws and never ends the process. */
export async function runKeadm(typed: readonly string[], environment: KeadmEnvironment): Promise<number> {
  const { terminal } = environment;
  const args = typed[0] === '--version' ? ['version', ...typed.slice(1)] : typed;
  const answer: Answer = { json: outputFormat(args) === 'json', exitCode: 0, help: '' };
  try {
    const program = await buildProgram(args, environment, {
      deliver(result) {
        answer.exitCode = result.exitCode;
        terminal.out(resultText(result, answer.json));
      },
      writeHelp: (text) => (answer.help += text),
    });
    // Only the command knows its other short flags, as in "-fojson".
    program.hook('preAction', (_program, command) => {
      answer.json ||= command.opts<OutputFlag>().output === 'json';
    });
    return await parse(program, args, answer, environment);
  } catch (error) {
    return reportError(error, answer.json, terminal);
  }
}

/** Reports an error that has escaped a command, in the form that the command line asks for; returns the exit code. */
export function reportFailure(typed: readonly string[], error: unknown, terminal: Terminal): number {
  return reportError(error, outputFormat(typed) === 'json', terminal);
}

interface Answer {
  json: boolean;
  exitCode: number;
  help: string;
}

async function parse(
  program: Command,
  args: readonly string[],
  answer: Answer,
  { terminal }: KeadmEnvironment,
): Promise<number> {
  try {
    await program.parseAsync(args, { from: 'user' });
    return answer.exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    terminal.out(answer.json ? jsonText({ help: answer.help }) : answer.help);
    return 0;
  }
}

function resultText({ data, text, streamed }: CommandResult, json: boolean): string {
  if (!json) return text === '' ? '' : `${text}\n`;
  return streamed === true ? '' : jsonText(data);
}

function jsonText(data: object): string {
  return `${JSON.stringify(data, undefined, 2)}\n`;
}

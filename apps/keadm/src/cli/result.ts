import { Command, Option } from 'commander';

/** What a command found or did: data for programs, text for people, and the code for the caller. */
export interface CommandResult {
  readonly data: object;
  readonly text: string;
  readonly exitCode: number;
  /** Set by a command that has already sent programs all of it, while it happened. */
  readonly streamed?: boolean;
}

/** A result that means success. */
export function success(data: object, text: string): CommandResult {
  return { data, text, exitCode: 0 };
}

/** The form of a command's result. */
export type OutputFormat = 'text' | 'json';

/** The flag of every command. */
export interface OutputFlag {
  readonly output: OutputFormat;
}

/** `-o, --output` */
export function outputOption(): Option {
  return new Option('-o, --output <format>', 'output format: text for people, json for programs')
    .choices(['text', 'json'])
    .default('text');
}

/** The output format that a command line asks for last, even if the rest of it cannot be parsed. */
export function outputFormat(args: readonly string[]): OutputFormat {
  // The value is optional here, so that a wrong or missing one is left to the parser of the whole command line.
  const parser = new Command().option('-o, --output [format]');
  parser.parseOptions([...args]);
  return parser.opts<{ output?: string | true }>().output === 'json' ? 'json' : 'text';
}

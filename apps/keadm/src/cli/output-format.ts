import { Command, Option } from 'commander';

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

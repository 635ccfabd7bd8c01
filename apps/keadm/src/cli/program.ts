import { Command, Help, type Option } from 'commander';
import type { KeadmEnvironment } from '../platform.ts';
import { requireSafeOptions } from '../commands/input-option.ts';
import type * as Examples from './examples.ts';
import { loadCommands } from './load-commands.ts';
import { outputOption, type CommandResult } from './result.ts';
import { commandPath, usageError } from './report-error.ts';

/** What every command is made with. */
export interface CommandContext {
  readonly environment: KeadmEnvironment;
  /** The command line as typed, for a command that writes it into a script for another machine. */
  readonly args: readonly string[];
  /** Takes the result of a command. A command never prints. */
  readonly deliver: (result: CommandResult) => void;
}

interface AnswerPorts extends Pick<CommandContext, 'deliver'> {
  /** May be called several times for one help text. */
  readonly writeHelp: (text: string) => void;
}

const HELP = /^(?:help|--help|-\w*h\w*)$/;

/** The command tree, reduced to the commands that this command line can name. */
export async function buildProgram(
  args: readonly string[],
  environment: KeadmEnvironment,
  { deliver, writeHelp }: AnswerPorts,
): Promise<Command> {
  const context: CommandContext = { environment, args, deliver };
  const program = new Command('keadm')
    .description('Make Windows and Linux machines managed nodes of an edge cluster or of a Kubernetes cluster')
    .addHelpText('after', '\nError codes and exit codes: docs/errors.md');
  for (const makeCommand of await loadCommands(args)) program.addCommand(makeCommand(context));
  // Examples are as much code as a short command, and only help texts show them.
  const examples = args.some((word) => HELP.test(word)) ? await import('./examples.ts') : undefined;
  everyCommand(program, (command) => applySharedRules(command, writeHelp, examples));
  program.hook('preAction', async (_program, command) => requireSafeOptions(environment, command));
  return program;
}

/** A command that only groups other commands. */
export function commandGroup(name: string, description: string, commands: readonly Command[]): Command {
  const group = new Command(name).description(description);
  for (const command of commands) group.addCommand(command);
  return group;
}

function applySharedRules(command: Command, writeHelp: (text: string) => void, examples?: typeof Examples): void {
  command
    .exitOverride((error) => {
      throw error.exitCode === 0 ? error : usageError(error, command);
    })
    .configureHelp({ showGlobalOptions: true, optionDescription: describeOption })
    .addHelpText('after', () => examples?.examplesText(examples.examplesOf(commandPath(command))) ?? '')
    .configureOutput({ writeOut: writeHelp, writeErr: () => {}, outputError: () => {} })
    .showSuggestionAfterError();
  if (command.commands.length > 0) return;
  command.addOption(outputOption()).allowExcessArguments(false);
}

/** A default of `false` or of an empty list is left out. */
export function describeOption(option: Option): string {
  return new Help().optionDescription(option).replace(/ \(default: (?:false|\[\])\)$/, '');
}

/** Visits a command and all commands below it. */
export function everyCommand(command: Command, visit: (command: Command) => void): void {
  visit(command);
  for (const child of command.commands) everyCommand(child, visit);
}

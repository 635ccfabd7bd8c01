import { Command, Help, Option } from 'commander';
import type { KeadmEnvironment } from '../platform.ts';
import { loadCommands } from './load-commands.ts';
import type { CommandResult } from './result.ts';

/** What every command is made with. */
export interface CommandContext {
  readonly environment: KeadmEnvironment;
  /** The command line as it was typed, for a command that writes it down for another machine. */
  readonly args: readonly string[];
  /** A command hands its result over here; it never prints by itself. */
  readonly deliver: (result: CommandResult) => void;
}

/** Where a command line's answer goes. */
interface AnswerPorts extends Pick<CommandContext, 'deliver'> {
  /** May be called several times for one help text. */
  readonly writeHelp: (text: string) => void;
}

/** The command tree, as far as this command line can be about it. */
export async function buildProgram(
  args: readonly string[],
  environment: KeadmEnvironment,
  { deliver, writeHelp }: AnswerPorts,
): Promise<Command> {
  const context: CommandContext = { environment, args, deliver };
  const program = new Command('keadm')
    .description('Makes this machine a managed node of an edge cluster, and keeps it alive')
    .addHelpText('after', '\nExit codes and what to do about them: docs/errors.md');
  for (const makeCommand of await loadCommands(args)) program.addCommand(makeCommand(context));
  everyCommand(program, (command) => applyHouseRules(command, writeHelp));
  return program;
}

function applyHouseRules(command: Command, writeHelp: (text: string) => void): void {
  command
    .exitOverride()
    .configureHelp({ showGlobalOptions: true, optionDescription: describe })
    .configureOutput({ writeOut: writeHelp, writeErr: () => {}, outputError: () => {} })
    .showSuggestionAfterError();
  if (command.commands.length > 0) return;
  command.addOption(
    new Option('-o, --output <form>', 'text for people, json for programs').choices(['text', 'json']).default('text'),
  );
  command.allowExcessArguments(false);
}

/** A default of nothing tells nobody anything. */
function describe(option: Option): string {
  return new Help().optionDescription(option).replace(/ \(default: (?:false|\[\])\)$/, '');
}

function everyCommand(command: Command, visit: (command: Command) => void): void {
  visit(command);
  for (const child of command.commands) everyCommand(child, visit);
}

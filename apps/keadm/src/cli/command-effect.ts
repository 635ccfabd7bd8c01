import type { CommandEffect } from '@fenestra/fleet/far-end';
import { OperatorError } from '@fenestra/kernel/errors';
import { Command, CommanderError } from 'commander';
import type { KeadmEnvironment } from '../platform.ts';
import { loadCommands } from './load-commands.ts';
import { type DeclaredEffect, NodeCommand, type OptionText, PRIVILEGED } from './node-command.ts';
import { everyCommand } from './program.ts';

const UNDECLARED: DeclaredEffect = { ...PRIVILEGED, needsElevation: false };

/** What a command line does to a node. A line that keadm would not accept does nothing. */
export async function commandEffect(words: readonly string[], environment: KeadmEnvironment): Promise<CommandEffect> {
  const program = new Command('keadm');
  for (const make of await loadCommands(words))
    program.addCommand(make({ environment, args: words, deliver: () => {} }));
  let effect: CommandEffect = { ...UNDECLARED, previewed: false, root: undefined };
  everyCommand(program, (command) => onlyParse(command, () => (effect = effectOf(command))));
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError || error instanceof OperatorError)) throw error;
  }
  return effect;
}

/** Takes every value as it is written: secrets are hidden, files are on another machine, and its version may differ. */
function onlyParse(command: Command, parsed: () => void): void {
  command
    .exitOverride()
    .allowUnknownOption()
    .allowExcessArguments()
    .configureOutput({ writeOut: () => {}, writeErr: () => {}, outputError: () => {} });
  for (const option of command.options) option.argParser((value) => value);
  if (command.commands.length === 0) command.action(parsed);
}

function effectOf(command: Command): CommandEffect {
  const values = command.opts<Readonly<Record<string, unknown>>>();
  const text: OptionText = (...names) => names.map((name) => values[name]).find((value) => typeof value === 'string');
  const declared = command instanceof NodeCommand ? command.declaredEffect(text) : UNDECLARED;
  const isDryRun = values['dryRun'] === true;
  const previewed = declared.node === 'worker' && !isDryRun;
  return { ...(isDryRun ? withoutChange(declared) : declared), previewed, root: text('root') };
}

/** A dry run leaves no agent, and its plan is the result. */
function withoutChange({ node, needsElevation, undo }: DeclaredEffect): DeclaredEffect {
  return { node, needsElevation, leavesAgent: false, undo };
}

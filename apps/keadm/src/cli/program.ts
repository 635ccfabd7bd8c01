import { Command, Option } from 'commander';
import { backupCommand } from '../commands/backup.command.ts';
import { cloudCommand } from '../commands/cloud.command.ts';
import { completionCommand } from '../commands/completion.command.ts';
import { configCommand } from '../commands/config.command.ts';
import { configUpdateCommand } from '../commands/config/set.command.ts';
import { gettokenCommand } from '../commands/gettoken.command.ts';
import { historyCommand } from '../commands/history.command.ts';
import { initCommand } from '../commands/init.command.ts';
import { statusCommand } from '../commands/status.command.ts';
import { doctorCommand } from '../commands/doctor.command.ts';
import { joinCommand } from '../commands/join.command.ts';
import { journalCommand } from '../commands/journal.command.ts';
import { logsCommand } from '../commands/logs.command.ts';
import { recoverCommand } from '../commands/recover.command.ts';
import { resetCommand } from '../commands/reset.command.ts';
import { restoreCommand } from '../commands/restore.command.ts';
import { serviceCommand } from '../commands/service.command.ts';
import { rollbackCommand } from '../commands/rollback.command.ts';
import { upgradeCommand } from '../commands/upgrade.command.ts';
import { versionCommand } from '../commands/version.command.ts';
import type { KeadmEnvironment } from '../platform.ts';
import type { CommandResult } from './result.ts';

/** What every command is made with. */
export interface CommandContext {
  readonly environment: KeadmEnvironment;
  /** A command hands its result over here; it never prints by itself. */
  readonly deliver: (result: CommandResult) => void;
}

/** The whole command tree. */
export function buildProgram(environment: KeadmEnvironment, deliver: (result: CommandResult) => void): Command {
  const context: CommandContext = { environment, deliver };
  const program = new Command('keadm')
    .description('Makes this machine a managed node of an edge cluster, and keeps it alive')
    .addHelpText('after', '\nExit codes and what to do about them: docs/errors.md');
  const commands = [
    doctorCommand(context),
    initCommand(context),
    gettokenCommand(context),
    joinCommand(context),
    backupCommand(context),
    restoreCommand(context),
    resetCommand(context),
    upgradeCommand(context),
    rollbackCommand(context),
    configCommand(context),
    configUpdateCommand(context),
    statusCommand(context),
    historyCommand(context),
    logsCommand(context),
    cloudCommand(context),
    serviceCommand(context),
    recoverCommand(context),
    journalCommand(context),
    completionCommand(context),
    versionCommand(context),
  ];
  for (const command of commands) program.addCommand(command);
  everyCommand(program, (command) => applyHouseRules(command, environment));
  return program;
}

function applyHouseRules(command: Command, { terminal }: KeadmEnvironment): void {
  command
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: terminal.out, writeErr: () => {}, outputError: () => {} })
    .showSuggestionAfterError();
  if (command.commands.length > 0) return;
  command.addOption(
    new Option('-o, --output <form>', 'text for people, json for programs').choices(['text', 'json']).default('text'),
  );
  command.allowExcessArguments(false);
}

function everyCommand(command: Command, visit: (command: Command) => void): void {
  visit(command);
  for (const child of command.commands) everyCommand(child, visit);
}

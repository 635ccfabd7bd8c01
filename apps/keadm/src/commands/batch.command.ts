import { Command } from 'commander';
import { type CommandContext, commandGroup } from '../cli/program.ts';
import { controlCommands } from './batch/control.command.ts';
import { genConfigCommand, importCommand } from './batch/import.command.ts';
import { planCommand, validateCommand } from './batch/plan.command.ts';
import { reportCommand } from './batch/report.command.ts';
import { resumeCommand, retryCommand } from './batch/resume.command.ts';
import { runCommand } from './batch/run.command.ts';
import { statusCommand } from './batch/status.command.ts';

/** `keadm batch …`: many nodes from one file. */
export function batchCommand(context: CommandContext): Command {
  const group = commandGroup('batch', 'Join, upgrade, reconfigure or reset many nodes over SSH from one file', [
    genConfigCommand(context),
    importCommand(context),
    validateCommand(context),
    planCommand(context),
    resumeCommand(context),
    retryCommand(context),
    statusCommand(context),
    reportCommand(context),
    ...controlCommands(context),
  ]);
  // `keadm batch --config FILE` runs the file.
  return group.addCommand(runCommand(context), { isDefault: true });
}

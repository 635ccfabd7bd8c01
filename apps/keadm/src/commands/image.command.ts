import { Command } from 'commander';
import type { CommandContext } from '../cli/program.ts';
import { imageInitCommand } from './image/init.command.ts';
import { imagePlanCommand } from './image/plan.command.ts';
import { imageProvisionCommand } from './image/provision.command.ts';
import { imageValidateCommand } from './image/validate.command.ts';
import { imageVerifyCommand } from './image/verify.command.ts';

/** `keadm image …`: images of Windows that boot as nodes. */
export function imageCommand(context: CommandContext): Command {
  const group = new Command('image').description('Build Windows Server images that boot as nodes');
  const commands = [
    imageInitCommand(context),
    imageValidateCommand(context),
    imagePlanCommand(context),
    imageProvisionCommand(context),
    imageVerifyCommand(context),
  ];
  for (const command of commands) group.addCommand(command);
  return group;
}

import { Command } from 'commander';
import type { CommandContext } from '../cli/program.ts';
import { goodsCommands } from './far-end/goods-commands.ts';
import { jobCommands } from './far-end/job-commands.ts';

/** `keadm far-end …`: what `keadm batch` has done on a node by the executable that it has sent there. */
export function farEndCommand({ environment, deliver }: CommandContext): Command {
  const group = new Command('far-end').description('Used by "keadm batch" on nodes; not for manual use');
  const end = (exitCode: number): void => deliver({ data: {}, text: '', exitCode });
  for (const command of [...jobCommands(environment, end), ...goodsCommands(environment, deliver)]) {
    group.addCommand(command);
  }
  return group;
}

import { Command } from 'commander';
import type { CommandContext } from '../cli/program.ts';
import { kubeJoinCommand } from './kube/join.command.ts';
import { manifestsCommand } from './kube/manifests.command.ts';
import { prepareCommand } from './kube/prepare.command.ts';
import { kubeResetCommand } from './kube/reset.command.ts';
import { kubeStatusCommand } from './kube/status.command.ts';
import { kubeUpgradeCommand } from './kube/upgrade.command.ts';

/** `keadm kube …`: this machine as a worker of a plain Kubernetes cluster. */
export function kubeCommand(context: CommandContext): Command {
  const group = new Command('kube').description('Manage this machine as a worker of a plain Kubernetes cluster');
  const commands = [
    prepareCommand(context),
    kubeJoinCommand(context),
    kubeUpgradeCommand(context),
    kubeResetCommand(context),
    kubeStatusCommand(context),
    manifestsCommand(context),
  ];
  for (const command of commands) group.addCommand(command);
  return group;
}

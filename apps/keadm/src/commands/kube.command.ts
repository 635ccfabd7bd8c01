import { Command } from 'commander';
import { type CommandContext, commandGroup } from '../cli/program.ts';
import { kubeJoinCommand } from './kube/join.command.ts';
import { manifestsCommand } from './kube/manifests.command.ts';
import { prepareCommand } from './kube/prepare.command.ts';
import { kubeResetCommand } from './kube/reset.command.ts';
import { kubeStatusCommand } from './kube/status.command.ts';
import { kubeUpgradeCommand } from './kube/upgrade.command.ts';

/** `keadm kube …`: this machine as a worker of a plain Kubernetes cluster. */
export function kubeCommand(context: CommandContext): Command {
  return commandGroup('kube', 'Manage this machine as a worker of a plain Kubernetes cluster', [
    prepareCommand(context),
    kubeJoinCommand(context),
    kubeUpgradeCommand(context),
    kubeResetCommand(context),
    kubeStatusCommand(context),
    manifestsCommand(context),
  ]);
}

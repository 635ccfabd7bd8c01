import { requireNodeName } from '@fenestra/contracts/kube';
import { Command } from 'commander';
import type { CommandContext } from '../../cli/program.ts';
import { success } from '../../cli/result.ts';
import { kubeconfigOption } from '../kubeconfig-option.ts';
import { rootOption } from '../root-option.ts';
import { withCloud, type CloudFlags } from './with-cloud.ts';

interface RevokeFlags extends CloudFlags {
  readonly reason?: string;
  readonly dryRun: boolean;
}

/** `keadm node revoke NAME` */
export function revokeCommand({ environment, deliver }: CommandContext): Command {
  return new Command('revoke')
    .description('Revoke all certificates and tokens of a node and close its connection')
    .argument('<name>', 'the node')
    .option('--reason <text>', 'reason to show in the list of revoked nodes')
    .addOption(kubeconfigOption())
    .addOption(rootOption())
    .option('--dry-run', 'print the plan and change nothing', false)
    .action(async (name: string, flags: RevokeFlags) => {
      requireNodeName(name);
      const { now, signal } = environment;
      const registered = await withCloud(environment, flags, async (cloud) => {
        if (!flags.dryRun) await cloud.revoke(name, { now: now(), reason: flags.reason }, signal);
        return (await cloud.nodes(signal)).some((node) => node.name === name);
      });
      deliver(success({ node: name, registered, dryRun: flags.dryRun }, revokedText(name, registered, flags.dryRun)));
    });
}

function revokedText(name: string, registered: boolean, dryRun: boolean): string {
  const stays = `Its Node object stays. To remove it: kubectl delete node ${name}`;
  const absent = `The cluster has no node "${name}": check the name`;
  return [
    dryRun
      ? `Would revoke the node "${name}"`
      : `Node "${name}" is revoked: the cloud closes its connection and rejects its certificates`,
    registered ? stays : absent,
    `To let it join again: keadm node admit ${name}`,
  ].join('\n');
}

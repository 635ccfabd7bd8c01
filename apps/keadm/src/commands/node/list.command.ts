import { Command } from 'commander';
import type { CommandContext } from '../../cli/program.ts';
import { success } from '../../cli/result.ts';
import { kubeconfigOption } from '../kubeconfig-option.ts';
import { rootOption } from '../root-option.ts';
import { nodeListText, trustedNodes } from './node-list.ts';
import { withCloud, type CloudFlags } from './with-cloud.ts';

/** `keadm node list` */
export function listCommand({ environment, deliver }: CommandContext): Command {
  return new Command('list')
    .description('List the nodes of the cloud, revoked nodes included')
    .option('--revoked', 'list revoked nodes only', false)
    .addOption(kubeconfigOption())
    .addOption(rootOption())
    .action(async (flags: CloudFlags & { readonly revoked: boolean }) => {
      const { signal } = environment;
      const nodes = await withCloud(environment, flags, async (cloud) =>
        trustedNodes(await cloud.nodes(signal), await cloud.revocations(signal)),
      );
      const shown = nodes.filter(({ revocation }) => !flags.revoked || revocation !== undefined);
      deliver(success({ nodes: shown }, nodeListText(shown)));
    });
}

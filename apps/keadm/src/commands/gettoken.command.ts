import { Command } from 'commander';
import type { CommandContext } from '../cli/program.ts';
import { success } from '../cli/result.ts';
import { findKubeconfig, kubeconfigOption } from './kubeconfig-option.ts';
import { rootOption, type RootFlag } from './root-option.ts';

/** `keadm gettoken`: the one command that prints a secret, because that is what it is for. */
export function gettokenCommand({ environment, deliver }: CommandContext): Command {
  return new Command('gettoken')
    .description('Print the token that lets a node join')
    .addOption(kubeconfigOption())
    .addOption(rootOption())
    .action(async (flags: RootFlag & { kubeconfig?: string }) => {
      const { openCloudAdmin } = await environment.loadCloud();
      const cloud = await openCloudAdmin(await findKubeconfig(environment, flags));
      try {
        const token = await cloud.joinToken(environment.signal);
        deliver(success({ token }, token));
      } finally {
        cloud.close();
      }
    });
}

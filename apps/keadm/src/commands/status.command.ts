import { Command } from 'commander';
import type { CommandContext } from '../cli/program.ts';
import { kubeconfigOption } from './kubeconfig-option.ts';
import { rootOption } from './root-option.ts';
import { gatherStatus, type StatusFlags } from './status-facts.ts';
import { isHealthy, statusText } from './status-text.ts';

const NOT_HEALTHY_EXIT_CODE = 1;

/** `keadm status`: exit code 0 only if the node works; a machine that is only a cloud always has 0. */
export function statusCommand({ environment, deliver }: CommandContext): Command {
  return new Command('status')
    .description('Show where the node on this machine stands, and a cloud with its nodes; the exit code tells')
    .addOption(kubeconfigOption())
    .addOption(rootOption())
    .action(async (flags: StatusFlags) => {
      const status = await gatherStatus(environment, flags);
      const healthy = isHealthy(status);
      deliver({
        data: { healthy, ...status },
        text: statusText(status),
        exitCode: healthy ? 0 : NOT_HEALTHY_EXIT_CODE,
      });
    });
}

import { ERROR_CODES } from '@fenestra/kernel';
import { Command } from 'commander';
import type { CommandContext } from '../cli/program.ts';
import { kubeconfigOption, type CloudFlags } from './kubeconfig-option.ts';
import { rootOption } from './input-option.ts';
import { gatherStatus, type Unknown } from './status-facts.ts';
import { judgeHealth, statusText } from './status-text.ts';

const NOT_HEALTHY_EXIT_CODE = 1;

/**
 * `keadm status`: exit code 0 only if the node works; a machine that is only a cloud always has 0. Where it cannot be read,
 * the exit code is that of the error.
 */
export function statusCommand({ environment, deliver }: CommandContext): Command {
  return new Command('status')
    .description('Show the status of the node or cloud on this machine; exits 0 if healthy')
    .addOption(kubeconfigOption())
    .addOption(rootOption())
    .action(async (flags: CloudFlags) => {
      const status = await gatherStatus(environment, flags);
      const health = judgeHealth(status);
      const healthy = typeof health === 'boolean' ? health : null;
      deliver({ data: { healthy, ...status }, text: statusText(status), exitCode: exitCodeOf(health) });
    });
}

function exitCodeOf(health: boolean | Unknown): number {
  if (typeof health !== 'boolean') return ERROR_CODES[health.code];
  return health ? 0 : NOT_HEALTHY_EXIT_CODE;
}

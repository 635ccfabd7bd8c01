import { Command } from 'commander';
import { dryRunResult } from '../../cli/change-result.ts';
import type { CommandContext } from '../../cli/program.ts';
import { imageConfigOption, loadImageConfig, type ImageConfigFlag } from './image-config-option.ts';
import { planFreshImage } from './image-plan.ts';

/** `keadm image plan`: on any machine, for one that is not there yet. */
export function imagePlanCommand({ environment, deliver }: CommandContext): Command {
  return new Command('plan')
    .description('Print what "keadm image provision" does on a fresh Windows machine; does not read this machine')
    .addOption(imageConfigOption())
    .action(async ({ config }: ImageConfigFlag) => {
      const plan = await planFreshImage(environment, await loadImageConfig(config));
      deliver(dryRunResult(plan, { config }));
    });
}

import { changeNode } from '@fenestra/session';
import { PREPARE_CHECKS } from '@fenestra/worker';
import { Command } from 'commander';
import { changeResult, dryRunResult } from '../../cli/change-result.ts';
import type { CommandContext } from '../../cli/program.ts';
import type { CommandResult } from '../../cli/result.ts';
import { skipCheckOption } from '../check-options.ts';
import { imageConfigOption, loadImageConfig, type ImageConfigFlag } from './image-config-option.ts';
import { planImage } from './image-plan.ts';
import { openImageSession } from './open-image-session.ts';

interface ProvisionFlags extends ImageConfigFlag {
  readonly dryRun: boolean;
  readonly skipCheck: readonly string[];
}

/** `keadm image provision`: what runs inside an image. */
export function imageProvisionCommand({ environment, deliver }: CommandContext): Command {
  return new Command('provision')
    .description('Set up this Windows machine as a file describes; changes only what differs')
    .addOption(imageConfigOption())
    .option('--dry-run', 'print the plan and change nothing', false)
    .addOption(skipCheckOption(PREPARE_CHECKS))
    .action(async (flags: ProvisionFlags) => {
      const config = await loadImageConfig(flags.config);
      const session = await openImageSession(environment, 'provision');
      const makePlan = async () => ({
        plan: await planImage(environment, session, { config, skipped: flags.skipCheck }),
      });
      if (flags.dryRun) return deliver(dryRunResult((await makePlan()).plan));
      const { change } = await changeNode(session, 'keadm image provision', makePlan, environment.signal);
      return deliver(withVerifyHint(changeResult(change)));
    });
}

function withVerifyHint(result: CommandResult): CommandResult {
  if (result.exitCode !== 0) return result;
  return { ...result, text: `${result.text}\nRestart the machine, then test it with "keadm image verify"` };
}

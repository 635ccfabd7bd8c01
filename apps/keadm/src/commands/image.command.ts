import { Command, type Option } from 'commander';
import { gatherImageState, IMAGE_CHECKS, verifyImage, readImageConfig, type ImageConfig } from '@fenestra/imaging';
import { ERROR_CODES } from '@fenestra/kernel';
import { requireCheckNames, changeNode } from '@fenestra/session';
import { KUBELET_RULE, PREPARE_CHECKS } from '@fenestra/worker';
import { readText } from '@fenestra/platform';
import { type CommandContext, commandGroup } from '../cli/program.ts';
import { dryRunResult, changeResult } from '../cli/change-result.ts';
import { findingsData, findingsText } from '../cli/findings-text.ts';
import type { CommandResult } from '../cli/result.ts';
import { imageInitCommand } from './image/init.command.ts';
import { imageValidateCommand } from './image/validate.command.ts';
import { planFreshImage, makerOf, openImageSession, planImage } from './image/image-plan.ts';
import { skipCheckOption } from './check-options.ts';
import { InputOption } from './input-option.ts';
import { toPath } from './lifecycle-options.ts';

/** `keadm image …`: images of Windows that boot as nodes. */
export function imageCommand(context: CommandContext): Command {
  return commandGroup('image', 'Build Windows Server images that boot as nodes', [
    imageInitCommand(context),
    imageValidateCommand(context),
    imagePlanCommand(context),
    imageProvisionCommand(context),
    imageVerifyCommand(context),
  ]);
}

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

interface VerifyFlags extends ImageConfigFlag {
  readonly skipCheck: readonly string[];
}

/** `keadm image verify`: the test an image must pass. */
export function imageVerifyCommand({ environment, deliver }: CommandContext): Command {
  return new Command('verify')
    .description('Check whether this machine matches a file; changes nothing and exits 0 if it does')
    .addOption(imageConfigOption())
    .addOption(skipCheckOption(IMAGE_CHECKS, 'skip this check'))
    .action(async (flags: VerifyFlags) => {
      const waived = requireCheckNames(flags.skipCheck, IMAGE_CHECKS);
      const config = await loadImageConfig(flags.config);
      const session = await openImageSession(environment, 'verify');
      const rules = config.role === 'worker' ? [KUBELET_RULE] : [];
      const wanted = { config, maker: makerOf(environment), rules };
      const state = await gatherImageState(session, wanted, environment.signal);
      const checks = verifyImage(state, waived);
      const passed = checks.every(({ verdict }) => verdict !== 'fail');
      const exitCode = passed ? 0 : ERROR_CODES.CHECKS_FAILED;
      deliver({
        data: { passed, checks: findingsData(checks), provenance: state.provenance },
        text: findingsText(checks),
        exitCode,
      });
    });
}

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

/** The flag's value as commands receive it. */
export interface ImageConfigFlag {
  readonly config: string;
}

/** `--config FILE`: what an image must have. */
export function imageConfigOption(): Option {
  return new InputOption('-c, --config <file>', 'file that describes the image')
    .argParser(toPath)
    .default(toPath('image.yaml'), 'image.yaml');
}

/** Reads the file; every mistake at once. */
export async function loadImageConfig(path: string): Promise<ImageConfig> {
  return readImageConfig(await readText(path), path);
}

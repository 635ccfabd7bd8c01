import { gatherImageState, IMAGE_CHECKS, verifyImage } from '@fenestra/imaging';
import { ERROR_CODES } from '@fenestra/kernel';
import { requireCheckNames } from '@fenestra/session';
import { KUBELET_RULE } from '@fenestra/worker';
import { Command } from 'commander';
import { findingsData, findingsText } from '../../cli/findings-text.ts';
import type { CommandContext } from '../../cli/program.ts';
import { skipCheckOption } from '../check-options.ts';
import { imageConfigOption, loadImageConfig, type ImageConfigFlag } from './image-config-option.ts';
import { makerOf, openImageSession } from './open-image-session.ts';

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

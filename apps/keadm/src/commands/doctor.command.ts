import { ERROR_CODES } from '@fenestra/kernel';
import { examine, gatherCheckFacts } from '@fenestra/lifecycle';
import { Command } from 'commander';
import { findingsText } from '../cli/findings-text.ts';
import type { CommandContext } from '../cli/program.ts';
import { rootOption, type RootFlag } from './root-option.ts';

/** `keadm doctor`: whether this machine can be a node, and what is missing if not. */
export function doctorCommand({ environment, deliver }: CommandContext): Command {
  return new Command('doctor')
    .description('Check whether this machine can be a node; changes nothing and exits 0 if it can')
    .addOption(rootOption())
    .action(async ({ root }: RootFlag) => {
      const facts = await gatherCheckFacts(await environment.loadPlatform(root), new Date(environment.commitTime));
      const findings = examine(facts);
      const ready = findings.every(({ verdict }) => verdict !== 'fail');
      const data = { ready, host: facts.host, checks: findings };
      deliver({ data, text: findingsText(findings), exitCode: ready ? 0 : ERROR_CODES.CHECKS_FAILED });
    });
}

import { ERROR_CODES } from '@fenestra/kernel';
import { DOCTOR_CHECKS, gatherCheckFacts } from '@fenestra/lifecycle';
import { runChecks } from '@fenestra/session';
import { Command } from 'commander';
import { findingsData, findingsText } from '../cli/findings-text.ts';
import type { CommandContext } from '../cli/program.ts';
import { rootOption, type RootFlag } from './input-option.ts';

/** `keadm doctor`: whether this machine can be a node, or how the node on it is. */
export function doctorCommand({ environment, deliver }: CommandContext): Command {
  return new Command('doctor')
    .description(
      'Check whether this machine can be a node, or check the node on it; changes nothing and exits 0 if all is well',
    )
    .addOption(rootOption())
    .action(async ({ root }: RootFlag) => {
      const machine = await environment.loadPlatform(root);
      const facts = await gatherCheckFacts(machine, new Date(environment.commitTime), environment.signal);
      const findings = runChecks(DOCTOR_CHECKS, facts);
      const ready = findings.every(({ verdict }) => verdict !== 'fail');
      const data = { ready, host: facts.host, checks: findingsData(findings) };
      deliver({ data, text: findingsText(findings), exitCode: ready ? 0 : ERROR_CODES.CHECKS_FAILED });
    });
}

import { ERROR_CODES } from '@fenestra/kernel';
import { examine, gatherCheckFacts } from '@fenestra/lifecycle';
import type { NamedFinding, Verdict } from '@fenestra/steps';
import { Command } from 'commander';
import type { CommandContext } from '../cli/program.ts';
import { rootOption, type RootFlag } from './root-option.ts';

const MARKS: Readonly<Record<Verdict, string>> = { pass: 'ok  ', warn: 'warn', fail: 'FAIL', skip: 'skip' };

/** `keadm doctor`: whether this machine can be a node, and what is missing if not. */
export function doctorCommand({ environment, deliver }: CommandContext): Command {
  return new Command('doctor')
    .description('Check whether this machine can be a node; changes nothing, the exit code tells')
    .addOption(rootOption())
    .action(async ({ root }: RootFlag) => {
      const facts = await gatherCheckFacts(await environment.loadPlatform(root), new Date(environment.commitTime));
      const findings = examine(facts);
      const ready = findings.every(({ verdict }) => verdict !== 'fail');
      const data = { ready, host: facts.host, checks: findings };
      deliver({ data, text: findingsText(findings), exitCode: ready ? 0 : ERROR_CODES.CHECKS_FAILED });
    });
}

function findingsText(findings: readonly NamedFinding[]): string {
  const width = Math.max(...findings.map(({ name }) => name.length));
  const lines = findings.flatMap(({ name, verdict, reason, remedy }) => [
    `${MARKS[verdict]}  ${name.padEnd(width)}  ${reason}`,
    ...(remedy === undefined ? [] : [`${' '.repeat(width + 8)}-> ${remedy}`]),
  ]);
  const count = (wanted: Verdict): number => findings.filter(({ verdict }) => verdict === wanted).length;
  return [...lines, '', `${findings.length} checks: ${count('fail')} failed, ${count('warn')} warnings`].join('\n');
}

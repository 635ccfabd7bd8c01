import type { NamedCheck } from '@fenestra/session';
import { waivedChecks } from '@fenestra/worker';
import { Option, type Command } from 'commander';
import { collect } from './lifecycle-options.ts';

/** `--skip-check NAME` */
export function skipCheckOption(checks: readonly NamedCheck[], purpose = 'continue if this check fails'): Option {
  const names = checks.map(({ name }) => name).join(', ');
  return new Option('--skip-check <name>', `${purpose}: ${names}`).argParser(collect).default([]);
}

/** Which checks an operator goes without. */
export interface CheckFlags {
  readonly skipCheck: readonly string[];
  readonly ignorePreflightErrors: readonly string[];
}

/** Adds `--skip-check`, and kubeadm's spelling of it. */
export function checkOptions(command: Command, checks: readonly NamedCheck[]): Command {
  return command
    .addOption(skipCheckOption(checks, 'continue if this check ("all" for every one) fails'))
    .addOption(new Option('--ignore-preflight-errors <names>').argParser(collect).default([]).hideHelp());
}

/** The checks that are waived, by the command line or by others. */
export function waivedBy(
  { skipCheck, ignorePreflightErrors }: CheckFlags,
  checks: readonly NamedCheck[],
  others: readonly string[] = [],
): readonly string[] {
  return waivedChecks([...new Set([...skipCheck, ...ignorePreflightErrors, ...others])], checks);
}

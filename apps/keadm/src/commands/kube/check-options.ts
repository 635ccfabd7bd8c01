import { waivedChecks } from '@fenestra/worker';
import { Option, type Command } from 'commander';
import { collect } from '../lifecycle-options.ts';

/** Which checks an operator goes without. */
export interface CheckFlags {
  readonly skipCheck: readonly string[];
  readonly ignorePreflightErrors: readonly string[];
}

/** Adds `--skip-check`, and kubeadm's spelling of it. */
export function checkOptions(command: Command, names: readonly string[]): Command {
  return command
    .option('--skip-check <name>', `continue if this check fails: ${names.join(', ')}, or "all"`, collect, [])
    .addOption(new Option('--ignore-preflight-errors <names>').argParser(collect).default([]).hideHelp());
}

/** The checks that are waived, by the command line or by others. */
export function waivedBy(
  { skipCheck, ignorePreflightErrors }: CheckFlags,
  names: readonly string[],
  others: readonly string[] = [],
): readonly string[] {
  return waivedChecks([...new Set([...skipCheck, ...ignorePreflightErrors, ...others])], names);
}

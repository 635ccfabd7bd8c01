import { Option, type Command } from 'commander';
import type { KeadmEnvironment } from '../platform.ts';
import { requireSafeInputs } from './require-safe-paths.ts';
import type { RootFlag } from './root-option.ts';

/**
 * An option that names a file or folder which the command reads or runs. Before the command starts, a privileged one
 * refuses what another account can change.
 */
export class InputOption extends Option {}

/** Judges the files that the options of this command line name. */
export async function requireSafeOptions({ loadPlatform }: KeadmEnvironment, command: Command): Promise<void> {
  // The paths in a script for another machine are paths there.
  if (command.getOptionValue('printScript') !== undefined) return;
  const named = command.options
    .filter((option) => option instanceof InputOption)
    .flatMap((option): string | readonly string[] => command.getOptionValue(option.attributeName()) ?? []);
  if (named.length === 0) return;
  await requireSafeInputs((await loadPlatform(command.opts<RootFlag>().root)).access, named);
}

import { EXAMPLE_BATCH_FILE } from '@fenestra/fleet';
import { Command } from 'commander';
import type { CommandContext } from '../../cli/program.ts';
import { success } from '../../cli/result.ts';
import { writeNewFile } from './write-new-file.ts';

/** `keadm batch gen-config`: a batch file to begin with. */
export function genConfigCommand({ deliver }: CommandContext): Command {
  return new Command('gen-config')
    .description('Print a batch file to start from; add addresses, command and token')
    .option('--to <file>', 'write to a new file instead of standard output')
    .action(async ({ to }: { to?: string }) => {
      if (to === undefined) return deliver(success({ text: EXAMPLE_BATCH_FILE }, EXAMPLE_BATCH_FILE.trimEnd()));
      await writeNewFile(to, EXAMPLE_BATCH_FILE);
      return deliver(success({ file: to }, `Wrote "${to}": fill in addresses, command and token`));
    });
}

import { OperatorError } from '@fenestra/kernel';
import { Command } from 'commander';
import {
  dryRunOption,
  runsOption,
  selectionOptions,
  workOptions,
  type DryRunFlag,
  type RunsFlag,
  type SelectionFlags,
  type WorkFlags,
} from '../../batch/batch-options.ts';
import { conductRun } from '../../batch/conduct-run.ts';
import { openBatch, selectNodes } from '../../batch/select-nodes.ts';
import { newRunFolder, runsFolder } from '../../batch/runs-folder.ts';
import { planBatch } from '../../batch/plan-batch.ts';
import type { CommandContext } from '../../cli/program.ts';
import { InputOption } from '../input-option.ts';

interface RunFlags extends WorkFlags, SelectionFlags, DryRunFlag, RunsFlag {
  readonly config?: string;
}

/** `keadm batch run`, and `keadm batch` without a word. */
export function runCommand({ environment, deliver }: CommandContext): Command {
  const command = new Command('run')
    .description('Run a batch file on its nodes; the same as "keadm batch -c FILE"')
    // Being the default command, it gets whatever is no other command's name.
    .argument('[word]')
    .usage('-c FILE [options]')
    .addOption(new InputOption('-c, --config <file>', 'batch file'))
    .addOption(dryRunOption())
    .addOption(runsOption());
  return selectionOptions(workOptions(command)).action(async (word: string | undefined, flags: RunFlags) => {
    const batch = await openBatch(environment, requireFile(word, flags.config));
    const request = { batch, nodes: selectNodes(batch.nodes, flags), flags };
    if (flags.dryRun) return deliver(await planBatch(environment, request));
    const openFolder = async () => newRunFolder(environment, runsFolder(environment, flags.runs), 'run');
    deliver(await conductRun(environment, openFolder, request));
  });
}

function requireFile(word: string | undefined, config: string | undefined): string {
  if (word !== undefined) throw wrongLine(`Unknown command "${word}"`);
  if (config === undefined) throw wrongLine('Missing command, or "--config FILE"');
  return config;
}

function wrongLine(message: string): OperatorError {
  return new OperatorError('USAGE', message, { hint: 'See "keadm batch --help".' });
}

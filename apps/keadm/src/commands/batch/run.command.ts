import { OperatorError } from '@fenestra/kernel';
import { Command } from 'commander';
import { runsOption, selectionOptions, workOptions } from '../../batch/batch-options.ts';
import { conductRun } from '../../batch/conduct-run.ts';
import { openBatch } from '../../batch/open-batch.ts';
import { newRunFolder } from '../../batch/open-run-folder.ts';
import { runsFolder } from '../../batch/runs-folder.ts';
import { selectNodes } from '../../batch/select-nodes.ts';
import type { CommandContext } from '../../cli/program.ts';
import { planResult, type PlanFlags } from './plan.command.ts';

interface RunFlags extends Omit<PlanFlags, 'config'> {
  readonly config?: string;
  readonly dryRun: boolean;
  readonly runs?: string;
}

/** `keadm batch run`, and `keadm batch` without a word. */
export function runCommand({ environment, deliver }: CommandContext): Command {
  const command = new Command('run')
    .description('Do what a batch file says on all its nodes; also meant by "keadm batch -c FILE"')
    // Being the default command, it gets whatever is no other command's name.
    .argument('[word]')
    .usage('-c FILE [options]')
    .option('-c, --config <file>', 'the batch file')
    .option('--dry-run', 'look at all the nodes, print what would happen to each, and change nothing', false)
    .addOption(runsOption());
  return selectionOptions(workOptions(command)).action(async (word: string | undefined, flags: RunFlags) => {
    const config = requireFile(word, flags.config);
    if (flags.dryRun) return deliver(await planResult(environment, { ...flags, config }));
    const batch = await openBatch(environment, config);
    const nodes = selectNodes(batch.nodes, flags);
    const openFolder = async () => newRunFolder(environment, runsFolder(environment, flags.runs), 'run');
    deliver(await conductRun(environment, openFolder, { batch, nodes, flags }));
  });
}

function requireFile(word: string | undefined, config: string | undefined): string {
  if (word !== undefined) throw wrongLine(`Unknown command "${word}"`);
  if (config === undefined) throw wrongLine('Missing command, or "--config FILE"');
  return config;
}

function wrongLine(message: string): OperatorError {
  return new OperatorError('USAGE', message, { hint: 'Run "keadm batch --help" for what there is.' });
}

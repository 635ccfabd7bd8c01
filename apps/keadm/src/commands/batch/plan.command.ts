import { Command } from 'commander';
import { selectionOptions, workOptions, type SelectionFlags, type WorkFlags } from '../../batch/batch-options.ts';
import { openBatch } from '../../batch/open-batch.ts';
import { planBatch } from '../../batch/plan-batch.ts';
import { selectNodes } from '../../batch/select-nodes.ts';
import type { CommandContext } from '../../cli/program.ts';
import { batchFileOption, type BatchFileFlag } from './batch-file-option.ts';

interface PlanFlags extends BatchFileFlag, WorkFlags, SelectionFlags {}

/** `keadm batch plan` */
export function planCommand({ environment, deliver }: CommandContext): Command {
  const command = new Command('plan')
    .description('Connect to all nodes of a batch file and print what would happen to each; changes nothing')
    .addOption(batchFileOption());
  return selectionOptions(workOptions(command)).action(async (flags: PlanFlags) => {
    const batch = await openBatch(environment, flags.config);
    deliver(await planBatch(environment, { batch, nodes: selectNodes(batch.nodes, flags), flags }));
  });
}

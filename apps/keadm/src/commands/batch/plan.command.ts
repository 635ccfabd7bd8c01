import { Command, type Option } from 'commander';
import { loadBatch, type Batch } from '@fenestra/fleet';
import { selectionOptions, workOptions, type SelectionFlags, type WorkFlags } from '../../batch/batch-options.ts';
import { openBatch, selectNodes } from '../../batch/select-nodes.ts';
import { planBatch } from '../../batch/plan-batch.ts';
import type { CommandContext } from '../../cli/program.ts';
import { success, type CommandResult } from '../../cli/result.ts';
import { joinLines, notesText } from '../config/config-text.ts';
import { InputOption } from '../input-option.ts';

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

/** `keadm batch validate -c FILE`: every problem at once, without connecting to anything. */
export function validateCommand({ environment, deliver }: CommandContext): Command {
  return new Command('validate')
    .description('Check a batch file and print all problems; makes no connection and asks for no secret')
    .addOption(batchFileOption())
    .action(async ({ config }: BatchFileFlag) => deliver(validResult(await loadBatch(config, environment))));
}

function validResult({ file, nodes, policy, keadm, delivery, compress, notes }: Batch): CommandResult {
  const waves = policy.waves.map(({ name }) => name);
  const shown = nodes.map(({ name, groups, labels, os, shownCommand }) => ({
    name,
    groups,
    labels,
    os,
    command: shownCommand,
  }));
  const head = `"${file}" is valid: ${nodes.length} node(s)${waves.length === 1 ? '' : `, waves ${waves.join(', ')}`}`;
  const data = { file, valid: true, nodes: shown, policy, programs: keadm.kind, delivery, compress, notes };
  return success(data, joinLines(head, notesText(notes)));
}

/** The flag that names the batch file. */
export interface BatchFileFlag {
  readonly config: string;
}

/** `-c, --config FILE`, which has to be given. */
function batchFileOption(): Option {
  return new InputOption('-c, --config <file>', 'batch file').makeOptionMandatory();
}

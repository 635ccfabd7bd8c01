import { findRun, nodesToRetry, readRun } from '@fenestra/fleet';
import { OperatorError } from '@fenestra/kernel';
import { Command } from 'commander';
import { earlierRunOptions, type EarlierRunFlags } from '../../batch/batch-options.ts';
import { conductRun } from '../../batch/conduct-run.ts';
import { openBatch } from '../../batch/open-batch.ts';
import { newRunFolder } from '../../batch/open-run-folder.ts';
import { planBatch } from '../../batch/plan-batch.ts';
import { runsFolder } from '../../batch/runs-folder.ts';
import { selectNodes } from '../../batch/select-nodes.ts';
import type { CommandContext } from '../../cli/program.ts';
import { success, type CommandResult } from '../../cli/result.ts';
import type { KeadmEnvironment } from '../../platform.ts';

/** `keadm batch retry` */
export function retryCommand({ environment, deliver }: CommandContext): Command {
  const command = new Command('retry')
    .description('Start a new run with the nodes of an earlier run that did not succeed')
    .argument('[run]', 'name of the earlier run (default: the newest run)');
  return earlierRunOptions(command).action(async (id: string | undefined, flags: EarlierRunFlags) =>
    deliver(await retry(environment, id, flags)),
  );
}

async function retry(
  environment: KeadmEnvironment,
  asked: string | undefined,
  flags: EarlierRunFlags,
): Promise<CommandResult> {
  const runs = runsFolder(environment, flags.runs);
  const { id, state } = await readRun(await findRun(runs, asked));
  if (state?.outcome === undefined) throw notEnded(id);
  const names = nodesToRetry(state);
  if (names.length === 0) return success({ run: id, nodes: [] }, `Nothing to do: all nodes of ${id} are up to date`);
  const batch = await openBatch(environment, state.opened.batch.file);
  const left = names.filter((name) => batch.nodes.some((node) => node.name === name));
  const nodes = selectNodes(batch.nodes, { only: left.length === 0 ? names : left, select: [] });
  const request = { batch, nodes, flags };
  if (flags.dryRun) return planBatch(environment, request);
  return conductRun(environment, async () => newRunFolder(environment, runs, 'retry'), request);
}

function notEnded(id: string): OperatorError {
  return new OperatorError('USAGE', `Cannot retry run "${id}": it has not finished`, {
    hint: `Finish it with "keadm batch resume ${id}".`,
  });
}

import { canGoOn, findRun, isSettled, readRun, type BatchNode, type RunState, type StoredRun } from '@fenestra/fleet';
import { OperatorError } from '@fenestra/kernel';
import { Command } from 'commander';
import { earlierRunOptions, type EarlierRunFlags } from '../../batch/batch-options.ts';
import { conductRun } from '../../batch/conduct-run.ts';
import { openBatch } from '../../batch/open-batch.ts';
import { oldRunFolder } from '../../batch/open-run-folder.ts';
import { planBatch } from '../../batch/plan-batch.ts';
import { runResult } from '../../batch/run-result.ts';
import { runsFolder } from '../../batch/runs-folder.ts';
import { storedAccount } from '../../batch/stored-account.ts';
import type { CommandContext } from '../../cli/program.ts';
import type { CommandResult } from '../../cli/result.ts';
import type { KeadmEnvironment } from '../../platform.ts';

/** `keadm batch resume` */
export function resumeCommand({ environment, deliver }: CommandContext): Command {
  const command = new Command('resume')
    .description('Resume a run that was interrupted, held or halted')
    .argument('[run]', 'name of the run (default: the newest run)');
  return earlierRunOptions(command).action(async (id: string | undefined, flags: EarlierRunFlags) => {
    const folder = await findRun(runsFolder(environment, flags.runs), id);
    deliver(await resume(environment, await readRun(folder), flags));
  });
}

async function resume(
  environment: KeadmEnvironment,
  stored: StoredRun,
  flags: EarlierRunFlags,
): Promise<CommandResult> {
  const { state, folder: path } = stored;
  if (state === undefined) throw neverBegun(stored);
  if (!canGoOn(state)) return { ...runResult(environment, await storedAccount(stored), path), streamed: false };
  const { file, digest } = state.opened.batch;
  const batch = await openBatch(environment, file);
  if (batch.digest !== digest) environment.terminal.err(`Note: "${file}" has changed since the run began\n`);
  const nodes = nodesOf(batch.nodes, state.opened.nodes);
  if (flags.dryRun) return planBatch(environment, { batch, nodes: openNodes(nodes, state), flags });
  return conductRun(environment, async () => oldRunFolder(environment, path, 'resume'), { batch, nodes, flags });
}

/** Nodes that were added to the file since are for another run; one that is missing is found out when the run begins. */
function nodesOf(nodes: readonly BatchNode[], opened: readonly { readonly name: string }[]): readonly BatchNode[] {
  const names = new Set(opened.map(({ name }) => name));
  return nodes.filter(({ name }) => names.has(name));
}

/** Those that have not come to their end. */
function openNodes(nodes: readonly BatchNode[], { nodes: standings }: RunState): readonly BatchNode[] {
  return nodes.filter(({ name }) => {
    const state = standings.get(name)?.state;
    return state === undefined || state === 'held' || !isSettled(state);
  });
}

function neverBegun({ id }: StoredRun): OperatorError {
  return new OperatorError('RUN_NOT_FOUND', `Cannot resume run "${id}": it was interrupted before it started`, {
    hint: 'Start a new run with "keadm batch run".',
  });
}

import {
  canGoOn,
  findRun,
  isSettled,
  readRun,
  type BatchNode,
  type RunState,
  type StoredRun,
  nodesToRetry,
} from '@fenestra/fleet';
import { OperatorError } from '@fenestra/kernel';
import { Command } from 'commander';
import { earlierRunOptions, type EarlierRunFlags } from '../../batch/batch-options.ts';
import { conductRun } from '../../batch/conduct-run.ts';
import { openBatch, selectNodes } from '../../batch/select-nodes.ts';
import { oldRunFolder, runsFolder, newRunFolder } from '../../batch/runs-folder.ts';
import { planBatch } from '../../batch/plan-batch.ts';
import { runResult } from '../../batch/run-reports.ts';
import { storedAccount } from '../../batch/stored-account.ts';
import type { CommandContext } from '../../cli/program.ts';
import { type CommandResult, success } from '../../cli/result.ts';
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

/** Those that have not come until they end. */
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

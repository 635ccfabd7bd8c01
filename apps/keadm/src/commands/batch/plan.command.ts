import { newRunId, planRun, systemClock } from '@fenestra/fleet';
import { throwIfAborted } from '@fenestra/platform';
import { Command } from 'commander';
import { selectionOptions, workOptions, type SelectionFlags, type WorkFlags } from '../../batch/batch-options.ts';
import { openBatch } from '../../batch/open-batch.ts';
import { openWork } from '../../batch/open-work.ts';
import { planText } from '../../batch/plan-text.ts';
import { selectNodes } from '../../batch/select-nodes.ts';
import { showOf } from '../../batch/show.ts';
import type { CommandContext } from '../../cli/program.ts';
import { success, type CommandResult } from '../../cli/result.ts';
import type { KeadmEnvironment } from '../../platform.ts';
import { batchFileOption, type BatchFileFlag } from './batch-file-option.ts';

/** What a plan is made of. */
export interface PlanFlags extends BatchFileFlag, WorkFlags, SelectionFlags {}

/** `keadm batch plan` */
export function planCommand({ environment, deliver }: CommandContext): Command {
  const command = new Command('plan')
    .description('Look at all the nodes of a batch file and print what would happen to each; changes nothing')
    .addOption(batchFileOption());
  return selectionOptions(workOptions(command)).action(async (flags: PlanFlags) =>
    deliver(await planResult(environment, flags)),
  );
}

/** Looks at the nodes and says what a run would do. */
export async function planResult(environment: KeadmEnvironment, flags: PlanFlags): Promise<CommandResult> {
  const batch = await openBatch(environment, flags.config);
  const nodes = selectNodes(batch.nodes, flags);
  const work = await openWork(environment, { batch, nodes, flags, signal: environment.signal });
  // Programs get the plan, which is what they asked for, and no events.
  const show = flags.output === 'json' ? undefined : showOf(environment, 'text');
  try {
    const plan = await planRun({
      id: newRunId(environment.now(), Math.random),
      nodes: work.nodes,
      policy: batch.policy,
      worker: work.worker,
      clock: systemClock,
      random: Math.random,
      onEvent: (event) => show?.add(event),
      signal: environment.signal,
    });
    return success({ dryRun: true, ...plan }, planText(plan));
  } catch (error) {
    throwIfAborted('looking at the nodes', environment.signal);
    throw error;
  } finally {
    show?.end();
    await work.close();
  }
}

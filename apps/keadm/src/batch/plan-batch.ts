import { newRunId, planRun, systemClock, type RunPlan } from '@fenestra/fleet';
import { ERROR_CODES } from '@fenestra/kernel';
import { throwIfAborted } from '@fenestra/platform';
import type { CommandResult } from '../cli/result.ts';
import type { KeadmEnvironment } from '../platform.ts';
import type { RunRequest } from './conduct-run.ts';
import { openWork } from './open-work.ts';
import { planText } from './plan-text.ts';
import { showOf } from './show.ts';

/** Looks at the nodes and says what a run would do; changes nothing. */
export async function planBatch(environment: KeadmEnvironment, request: RunRequest): Promise<CommandResult> {
  const { batch, flags } = request;
  const work = await openWork(environment, { ...request, signal: environment.signal });
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
    return planResult(plan);
  } catch (error) {
    throwIfAborted('looking at the nodes', environment.signal);
    throw error;
  } finally {
    show?.end();
    await work.close();
  }
}

/** A node that could not be looked at is no reason to keep the plan for the others back, but the caller has to know. */
export function planResult(plan: RunPlan): CommandResult {
  const isWhole = plan.nodes.every(({ fate }) => fate === 'change' || fate === 'nothing');
  return { data: { dryRun: true, ...plan }, text: planText(plan), exitCode: isWhole ? 0 : ERROR_CODES.BATCH_FAILED };
}

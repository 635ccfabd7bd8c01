import { progressOf } from '../journal/progress.ts';
import type { ProcessIdentity } from '../journal/record.ts';
import type { Plan } from '../plan/step.ts';
import { drive } from './drive.ts';
import type { Execution, ExecutionOutcome } from './execution.ts';

/** A plan about to run, and who runs it. */
export interface Run {
  readonly command: string;
  readonly programVersion: string;
  readonly owner: ProcessIdentity;
  readonly plan: Plan;
}

/** Runs a plan under the journal. It never decides what to do; it only makes sure that it is done or undone. */
export async function executePlan<Ports>(
  run: Run,
  execution: Execution<Ports>,
  signal: AbortSignal,
): Promise<ExecutionOutcome> {
  const written = await execution.journal.append({ type: 'begun', ...run });
  if (written.type !== 'begun') throw new Error('The journal returned another record than the one it was given');
  execution.onEvent(written);
  return drive(progressOf(written), execution, signal);
}

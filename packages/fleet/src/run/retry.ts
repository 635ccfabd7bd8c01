import { OperatorError, type ErrorCode } from '@fenestra/kernel';
import type { Retries } from '../inventory/batch-node.ts';
import type { NodePart } from './parts.ts';
import type { NodeStanding } from './run-state.ts';

const ANY_PART: readonly NodePart[] = ['survey', 'deliver', 'execute', 'prove', 'roll-back'];

/** What may go better the next time, and in which parts. All else would only fail again. */
const WORTH_IT: Partial<Readonly<Record<ErrorCode, readonly NodePart[]>>> = {
  REMOTE_UNREACHABLE: ANY_PART,
  REMOTE_LOST: ANY_PART,
  // A command that ran out of time is not repeated: it would have as long, and nobody knows what it had done.
  REMOTE_TIMEOUT: ['survey', 'deliver', 'prove'],
  DELIVERY_FAILED: ['deliver'],
};

/**
 * What to do about a failure: nothing, go on with the same work, or begin the command afresh, which has failed and undone
 * what it did.
 */
export type Retry = 'none' | 'go-on' | 'afresh';

/** Whether and how this part of a node's work may succeed if it is done again. */
export function retryAfter(error: unknown, part: NodePart): Retry {
  if (!(error instanceof OperatorError)) return 'none';
  if (isCommandFailure(error)) return part === 'execute' && error.details['mayPass'] === true ? 'afresh' : 'none';
  return WORTH_IT[error.code]?.includes(part) === true ? 'go-on' : 'none';
}

/** Whether a node that waits for its next try is one whose command is to be begun afresh. */
export function waitsToBeginAfresh({
  state,
  part,
  failure,
}: Pick<NodeStanding, 'state' | 'part' | 'failure'>): boolean {
  return state === 'retrying' && part === 'execute' && failure !== undefined && isCommandFailure(failure);
}

/** Whether it is the command itself that has failed, to its end: it is not running any more. */
function isCommandFailure({ code }: { readonly code: string }): boolean {
  return code === 'REMOTE_COMMAND_FAILED';
}

/**
 * How long to wait after so many attempts: anything from nothing to a bound that doubles each time, so that nodes that
 * failed together do not come back together.
 */
export function retryDelayMs(retries: Retries, attempts: number, random: () => number): number {
  const bound = Math.min(retries.longestDelaySeconds, retries.firstDelaySeconds * 2 ** (attempts - 1));
  return Math.round(random() * bound * 1000);
}

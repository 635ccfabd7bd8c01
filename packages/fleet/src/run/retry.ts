import { OperatorError, type ErrorCode } from '@fenestra/kernel';
import type { Retries } from '../inventory/batch-node.ts';
import type { NodePart } from './parts.ts';

const ANY_PART: readonly NodePart[] = ['survey', 'deliver', 'execute', 'prove', 'roll-back'];

/** What may go better the next time, and in which parts. All else would only fail again. */
const WORTH_IT: Partial<Readonly<Record<ErrorCode, readonly NodePart[]>>> = {
  REMOTE_UNREACHABLE: ANY_PART,
  REMOTE_LOST: ANY_PART,
  // A command that ran out of time is not repeated: it would have as long, and nobody knows what it had done.
  REMOTE_TIMEOUT: ['survey', 'deliver', 'prove'],
  DELIVERY_FAILED: ['deliver'],
};

/** Whether this part of a node's work may succeed if it is done again. */
export function isWorthAnotherTry(error: unknown, part: NodePart): boolean {
  return error instanceof OperatorError && (WORTH_IT[error.code]?.includes(part) ?? false);
}

/**
 * How long to wait after so many attempts: anything from nothing to a bound that doubles each time, so that nodes that
 * failed together do not come back together.
 */
export function retryDelayMs(retries: Retries, attempts: number, random: () => number): number {
  const bound = Math.min(retries.longestDelaySeconds, retries.firstDelaySeconds * 2 ** (attempts - 1));
  return Math.round(random() * bound * 1000);
}

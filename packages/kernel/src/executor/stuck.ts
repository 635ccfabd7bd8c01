import type { ErrorCode } from '../errors/catalogue.ts';
import { OperatorError } from '../errors/operator-error.ts';

const STUCK_CODES: readonly ErrorCode[] = ['REVERT_INCOMPLETE', 'FINISH_INCOMPLETE'];

/** Whether a run ended because a step holds out. Its journal is sound, and the next try goes on from there. */
export function isStuck(error: unknown): error is OperatorError {
  return error instanceof OperatorError && STUCK_CODES.includes(error.code);
}

import type { BatchFailure } from '@fenestra/contracts/batch';
import { OperatorError } from '@fenestra/kernel';
import type { NodePart } from './parts.ts';

const NOT_REACHED: ReadonlySet<string> = new Set(['REMOTE_UNREACHABLE', 'REMOTE_TIMEOUT', 'REMOTE_LOST']);

/** What went wrong, as data. */
export function failureOf(error: unknown): BatchFailure {
  if (error instanceof OperatorError) return { code: error.code, message: error.message, hint: error.hint };
  return {
    code: 'UNEXPECTED',
    message: error instanceof Error ? error.message : String(error),
    hint: 'This is a fault in the program: report it with the log of the node.',
  };
}

/** How a node ends whose work failed: one that could not be reached before its command began has not failed at it. */
export function endStateOf({ code }: BatchFailure, part: NodePart): 'unreachable' | 'failed' {
  const begun = part !== 'survey' && part !== 'deliver';
  return !begun && NOT_REACHED.has(code) ? 'unreachable' : 'failed';
}

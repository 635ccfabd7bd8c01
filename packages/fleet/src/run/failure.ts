import type { NodePart } from './node-worker.ts';
import type { BatchFailure } from '../report/events.ts';
import { OperatorError } from '@fenestra/kernel';

const NOT_REACHED: ReadonlySet<string> = new Set(['REMOTE_UNREACHABLE', 'REMOTE_TIMEOUT', 'REMOTE_LOST']);

/** An error as data. */
export function failureOf(error: unknown): BatchFailure {
  if (error instanceof OperatorError) return { code: error.code, message: error.message, hint: error.hint };
  return {
    code: 'UNEXPECTED',
    message: error instanceof Error ? error.message : String(error),
    hint: 'This is an internal error. Report it with the log of the node.',
  };
}

/** The state of a node after a failure: `unreachable` if the connection failed before its command was started. */
export function endStateOf({ code }: BatchFailure, part: NodePart): 'unreachable' | 'failed' {
  const begun = part !== 'survey' && part !== 'deliver';
  return !begun && NOT_REACHED.has(code) ? 'unreachable' : 'failed';
}

import { type ErrorCode, OperatorError } from '@fenestra/kernel';
import type { Retries } from '../inventory/batch.ts';
import type { BatchFailure } from '../report/events.ts';
import { NODE_PARTS, type NodePart } from './node-worker.ts';
import type { NodeStanding } from './run-state.ts';

/** Failures that a retry may cure, and in which parts. All others would fail again. */
const RETRYABLE: Partial<Readonly<Record<ErrorCode, readonly NodePart[]>>> = {
  REMOTE_UNREACHABLE: NODE_PARTS,
  REMOTE_LOST: NODE_PARTS,
  // A command that exceeded its time limit is not repeated: what it did is unknown, and the limit is the same.
  REMOTE_TIMEOUT: ['survey', 'deliver', 'prove'],
  DELIVERY_FAILED: ['deliver'],
};

/** How to retry: not at all, by continuing, or by starting a command over that failed and undid its changes. */
export type Retry = 'none' | 'continue' | 'start-over';

/** Whether and how this part of a node's work may succeed on a retry. */
export function retryAfter(error: unknown, part: NodePart): Retry {
  if (!(error instanceof OperatorError)) return 'none';
  if (isCommandFailure(error)) return error.details['mayPass'] === true ? afterPassingFailure(part) : 'none';
  return RETRYABLE[error.code]?.includes(part) === true ? 'continue' : 'none';
}

/** A command that failed has undone its changes; a dry run has made none. */
function afterPassingFailure(part: NodePart): Retry {
  if (part === 'execute') return 'start-over';
  return part === 'survey' ? 'continue' : 'none';
}

/** Whether a node waits for a retry that starts its command over. */
export function waitsToStartOver({ state, part, failure }: Pick<NodeStanding, 'state' | 'part' | 'failure'>): boolean {
  return state === 'retrying' && part === 'execute' && failure !== undefined && isCommandFailure(failure);
}

function isCommandFailure({ code }: { readonly code: string }): boolean {
  return code === 'REMOTE_COMMAND_FAILED';
}

/** The delay after so many attempts: random up to a doubling bound, so that nodes do not retry together. */
export function retryDelayMs(retries: Retries, attempts: number, random: () => number): number {
  const bound = Math.min(retries.longestDelaySeconds, retries.firstDelaySeconds * 2 ** (attempts - 1));
  return Math.round(random() * bound * 1000);
}

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

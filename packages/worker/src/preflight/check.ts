import type { OperatorError } from '@fenestra/kernel';
import type { Finding } from '@fenestra/session';
import type { PreflightFacts } from './preflight-facts.ts';

/** What a check found; `error` is what the command fails with if this is all that is wrong. */
export interface Judgement extends Finding {
  readonly error?: OperatorError;
}

/** One question about a machine that is to be a worker, answered from facts alone. */
export interface Check {
  /** What an operator calls it by, to waive it for one. */
  readonly name: string;
  judge(facts: PreflightFacts): Judgement;
}

/** A judgement that a catalogue error says all of. */
export function failedBy(error: OperatorError): Judgement {
  return { verdict: 'fail', reason: error.message, remedy: error.hint, error };
}

import type { OperatorError } from '@fenestra/kernel';
import type { NamedFinding } from './finding.ts';

/** What a check before a join found. */
export interface PreflightFinding extends NamedFinding {
  /** What the join fails with if this is all that is wrong. */
  readonly error?: OperatorError;
  /** Set if nobody can waive the check. */
  readonly binding?: true;
}

/** A check that found nothing wrong. */
export function passed(name: string, reason: string): PreflightFinding {
  return { name, verdict: 'pass', reason };
}

/** A check that found what a catalogue error says. */
export function failed(name: string, error: OperatorError): PreflightFinding {
  return { name, verdict: 'fail', reason: error.message, remedy: error.hint, error };
}

/** A check that could not be made. */
export function skipped(name: string, reason: string): PreflightFinding {
  return { name, verdict: 'skip', reason, remedy: 'Fix the failed checks above first.' };
}

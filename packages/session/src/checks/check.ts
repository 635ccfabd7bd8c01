import type { OperatorError } from '@fenestra/kernel';

/** `skip` means that the check could not be made, and why. */
export type Verdict = 'pass' | 'warn' | 'fail' | 'skip';

/** What a check found, and what to do about it where something is to be done. */
export interface Finding {
  readonly verdict: Verdict;
  readonly reason: string;
  readonly remedy?: string;
  /** What the command fails with if this is the only failure. */
  readonly error?: OperatorError;
}

/** A finding with the name of its check. */
export interface NamedFinding extends Finding {
  readonly name: string;
  /** Set if the check cannot be waived. */
  readonly binding?: true;
}

/** One question about a machine, answered from facts alone. It has the same name in every command. */
export interface Check<Facts> {
  /** What operators give to `--skip-check`. */
  readonly name: string;
  /** What it finds out, for the reference page. */
  readonly about: string;
  /** Set if it cannot be waived. */
  readonly binding?: true;
  judge(facts: Facts): Finding;
}

/** A check, however much it has to know. */
export type NamedCheck = Pick<Check<never>, 'name' | 'about'>;

/** Makes the checks in their order. */
export function runChecks<Facts>(checks: readonly Check<Facts>[], facts: Facts): readonly NamedFinding[] {
  return checks.map((check) => ({
    name: check.name,
    ...check.judge(facts),
    ...(check.binding === true && { binding: true }),
  }));
}

/** The same check where its failure does not stop the command. */
export function asWarning<Facts>(check: Check<Facts>): Check<Facts> {
  return {
    ...check,
    judge(facts) {
      const { error: _error, ...finding } = check.judge(facts);
      return finding.verdict === 'fail' ? { ...finding, verdict: 'warn' } : finding;
    },
  };
}

/** Nothing to be done. */
export function pass(reason: string): Finding {
  return { verdict: 'pass', reason };
}

/** The node works, but someone should look. */
export function warn(reason: string, remedy: string): Finding {
  return { verdict: 'warn', reason, remedy };
}

/** The command must not go on until this is fixed. */
export function fail(reason: string, remedy: string): Finding {
  return { verdict: 'fail', reason, remedy };
}

/** A failure that a catalogue error describes. */
export function failedBy(error: OperatorError): Finding {
  return { verdict: 'fail', reason: error.message, remedy: error.hint, error };
}

/** The check could not be made. */
export function skip(reason: string, remedy = 'Fix the failed checks above first.'): Finding {
  return { verdict: 'skip', reason, remedy };
}

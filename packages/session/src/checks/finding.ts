/** `skip` means that the check could not be made, and why. */
export type Verdict = 'pass' | 'warn' | 'fail' | 'skip';

/** What a check found, and what to do about it where something is to be done. */
export interface Finding {
  readonly verdict: Verdict;
  readonly reason: string;
  readonly remedy?: string;
}

/** A finding with the name of its check. */
export interface NamedFinding extends Finding {
  readonly name: string;
}

/** Nothing to be done. */
export function pass(reason: string): Finding {
  return { verdict: 'pass', reason };
}

/** A node can live with it, but somebody should look. */
export function warn(reason: string, remedy: string): Finding {
  return { verdict: 'warn', reason, remedy };
}

/** This machine cannot be a node until it is mended. */
export function fail(reason: string, remedy: string): Finding {
  return { verdict: 'fail', reason, remedy };
}

/** Nobody could look. */
export function skip(reason: string, remedy: string): Finding {
  return { verdict: 'skip', reason, remedy };
}

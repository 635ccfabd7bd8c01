import type { Finding } from '@fenestra/session';
import type { CheckFacts } from './facts.ts';

/** One question about the machine, answered from facts alone. */
export interface Check {
  /** What an operator calls it by, to waive it for one. */
  readonly name: string;
  judge(facts: CheckFacts): Finding;
}

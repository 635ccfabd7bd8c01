import type { Mapping } from '@fenestra/contracts/reading';

/** A configuration after a change, and what the operator should know of it. */
export interface Adapted {
  readonly config: Mapping;
  readonly warnings: readonly string[];
}

/** One promise of a port, checked on a real system. It throws when the adapter breaks the promise. */
export interface ContractCase {
  readonly name: string;
  /** Why the system at hand cannot show this, if it cannot. Such a case is reported as skipped, never as passed. */
  readonly skip?: string;
  run(): Promise<void>;
}

/** Builds a case, skipped if there is a reason to. */
export function contractCase(name: string, run: () => Promise<void>, skip?: string): ContractCase {
  return skip === undefined ? { name, run } : { name, skip, run };
}

/** What a bed must bring for a case. Without it the case fails: a promise that was not checked has not been kept. */
export function needed<Part>(part: Part | undefined, name: string): Part {
  if (part === undefined) throw new Error(`the bed has no "${name}" and does not say that it cannot show this`);
  return part;
}

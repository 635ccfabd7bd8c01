/** One promise of a port, checked on a real system. It throws when the adapter breaks the promise. */
export interface ContractCase {
  readonly name: string;
  /** Why the system at hand cannot show this, if it cannot. Such a case is reported as skipped, never as passed. */
  readonly skip?: string;
  run(): Promise<void>;
}

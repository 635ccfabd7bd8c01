/** Where everything is that a proof needs. */
export interface ProofKit {
  readonly runner: string;
  readonly addon: string;
  readonly keadm: string;
  readonly laterKeadm: string;
  readonly laterVersion: string;
  readonly setup: string;
  readonly laterSetup: string;
  readonly msi: string;
  readonly laterMsi: string;
}

/** Something to be shown on a real Windows, which has to be a machine that no one needs afterwards. */
export interface Proof {
  readonly name: string;
  /** Throws if it does not hold. */
  prove(kit: ProofKit): Promise<void>;
}

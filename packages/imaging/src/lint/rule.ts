/** How much a finding matters: the machine does not do what is asked, may not, or does it in a way worth knowing. */
export type Severity = 'error' | 'warning' | 'note';

/** What a rule is about, for the page of the rules and for hints. */
export interface Rule {
  readonly severity: Severity;
  /** What is wrong, as a heading. */
  readonly title: string;
  /** What cloudbase-init does, and why that is not what was meant. */
  readonly why: string;
  /** One instruction. */
  readonly remedy: string;
}

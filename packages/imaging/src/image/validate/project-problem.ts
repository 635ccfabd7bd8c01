/** Something in a project that keeps it from building what is meant, or (a note) that is still to be given. */
export interface ProjectProblem {
  readonly file: string;
  readonly line: number;
  readonly severity: 'error' | 'note';
  readonly message: string;
}

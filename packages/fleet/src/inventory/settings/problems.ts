import type { ConfigNote } from '@fenestra/contracts';

/** Takes what is wrong with a batch file, and what may not have been meant. The same thing is told once. */
export interface Findings {
  /** The message completes "the field …" and holds no value that may be a secret. */
  problem(path: string, message: string): void;
  note(path: string, reason: string): void;
  readonly problems: readonly { readonly path: string; readonly message: string }[];
  readonly notes: readonly ConfigNote[];
}

/** Begins without any. */
export function newFindings(): Findings {
  const problems = new Map<string, { readonly path: string; readonly message: string }>();
  const notes = new Map<string, ConfigNote>();
  return {
    problem: (path, message) => void problems.set(`${path}\n${message}`, { path, message }),
    note: (path, reason) => void notes.set(`${path}\n${reason}`, { path, reason }),
    get problems() {
      return [...problems.values()];
    },
    get notes() {
      return [...notes.values()];
    },
  };
}

import type { ConfigNote } from '@fenestra/contracts';

/** Collects the problems and notes of a batch file, each once. */
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

/** Takes note of secrets that stand in the file itself. */
export interface ClearSecrets {
  found(path: string): void;
}

/** How a file that holds secrets in clear is kept. */
export interface FileKeeping {
  /** Others than its owner may read it. */
  readonly readableByOthers: boolean;
  /** The file says that this is meant so. */
  readonly allowed: boolean;
}

/** Collects them. `judge` reports each as an error in a file that others can read, and otherwise all as one note. */
export function collectClearSecrets(): ClearSecrets & { judge(keeping: FileKeeping, findings: Findings): void } {
  const paths = new Set<string>();
  return {
    found: (path) => void paths.add(path),
    judge({ readableByOthers, allowed }, findings) {
      const [first, ...more] = paths;
      if (first === undefined || allowed) return;
      if (readableByOthers) for (const path of paths) findings.problem(path, READABLE);
      else findings.note(first, more.length === 0 ? IN_CLEAR : `${IN_CLEAR} (and ${more.length} more)`);
    },
  };
}

const IN_CLEAR = 'is a plain-text secret; "env:NAME", "file:PATH" or "command:…" keeps it out of the file';
const READABLE =
  'is a plain-text secret in a file that other users can read: run "chmod 600", write "env:NAME", "file:PATH" or "command:…" instead, or set "allowClearSecrets: true"';

import type { Findings } from './problems.ts';

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

/** Collects them; `judge` tells them: in a file that others may read they are an error, else one remark. */
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

const IN_CLEAR = 'is a secret in clear; "env:NAME", "file:PATH" or "command:…" keeps it out of the file';
const READABLE =
  'is a secret in clear in a file that others may read: take their rights away (chmod 600), write "env:NAME", "file:PATH" or "command:…" instead, or say "allowClearSecrets: true"';

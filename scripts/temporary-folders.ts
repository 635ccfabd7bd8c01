import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Short, because the path of a socket below may have no more than 107 bytes. The number is the process's. */
const OURS = /^fe-(\d+)-/;

/** Temporary folders, one for each suite. */
export interface TemporaryFolders {
  open(): string;
  /** Removes a folder; returns the names of what was still in it. */
  close(folder: string): readonly string[];
}

/** Opens a folder for them that is removed with this process; those of runs that were killed are removed now. */
export function temporaryFolders(): TemporaryFolders {
  removeStale();
  const root = mkdtempSync(join(tmpdir(), `fe-${process.pid}-`));
  // Some programs in a suite are other users'.
  chmodSync(root, 0o755);
  process.on('exit', () => remove(root));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
  let count = 0;
  return {
    open() {
      const folder = join(root, `${(count += 1)}`);
      mkdirSync(folder, { mode: 0o755 });
      return folder;
    },
    close(folder) {
      const left = readdirSync(folder);
      remove(folder);
      return left;
    },
  };
}

function removeStale(): void {
  for (const name of readdirSync(tmpdir())) {
    const owner = OURS.exec(name)?.[1];
    if (owner !== undefined && !existsSync(`/proc/${owner}`)) remove(join(tmpdir(), name));
  }
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

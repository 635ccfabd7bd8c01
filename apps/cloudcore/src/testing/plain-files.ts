import { writeFile } from 'node:fs/promises';
import type { FileStore } from '@fenestra/platform';

/** As much of a file store as the cloud uses: this package may not know a system's own. */
export function plainFiles(): Pick<FileStore, 'replace'> {
  return { replace: async (path, content, options) => writeFile(path, content, { mode: options?.mode ?? 0o600 }) };
}

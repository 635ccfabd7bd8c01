import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Gives a run one temporary folder for all that its tests and their programs leave behind, and removes it at the end.
 * Its name is short, because the path of a socket below it may have no more than 107 bytes.
 */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'fu-'));
  // As open as the one it lies in: what others may not read there is for the tests to arrange.
  chmodSync(folder, 0o755);
  process.env['TMPDIR'] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

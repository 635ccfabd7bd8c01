import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const [UNSHARE, ...OPTIONS] = ['unshare', '--map-root-user', '--mount', 'sh', '-euc'] as const;

/** Whether this user may have mounts that no other process sees. */
export function hasOwnMounts(): boolean {
  try {
    execFileSync(UNSHARE, [...OPTIONS, 'mount -t tmpfs none /mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * Runs a shell script with separate mounts and returns its output. `$0` is an empty folder to mount a disk on, `$1`
 * runs a TypeScript file, `$2` is the file.
 */
export async function withOwnMounts(script: string, file: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'own-mounts-'));
  try {
    const words = [script, folder, process.execPath, join(import.meta.dirname, file)];
    return (await promisify(execFile)(UNSHARE, [...OPTIONS, ...words])).stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeExecutable } from '../../../../build/make-executable.ts';
import { buildStamp } from '../../../../build/stamp.ts';
import { TARGETS } from '../../../../build/targets.ts';

const ENTRY = join(import.meta.dirname, 'kubelet-windows-main.ts');

/** Makes a stand-in for a kubelet of this version for Windows, lets `use` have the file, and forgets it. */
export async function withWindowsKubelet(version: string, use: (file: string) => Promise<void>): Promise<void> {
  const target = TARGETS.find(({ name }) => name === 'windows-x64');
  if (target === undefined) throw new Error('There is no target for Windows');
  const folder = await mkdtemp(join(tmpdir(), 'fenestra-kubelet-'));
  try {
    const stamp = { ...buildStamp(), version: version.replace(/^v/, '') };
    await use(await makeExecutable(target, folder, { stamp, entry: ENTRY }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

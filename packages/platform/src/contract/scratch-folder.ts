import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';

/** A fresh folder for one case. */
export async function scratchFolder(parent: string): Promise<string> {
  await mkdir(parent, { recursive: true });
  return mkdtemp(join(parent, 'case-'));
}

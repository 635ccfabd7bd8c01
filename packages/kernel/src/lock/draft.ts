import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { lockEntries, type LockRecord } from './lock-chain.ts';

/** Every record takes as many bytes as the spare file, so that writing over it needs no more room. */
const RECORD_BYTES = 4096;

/**
 * Writes a record to a file that is not part of the chain yet, and returns its path. The spare file is used if it is
 * there: on a full disk no other can be made.
 */
export async function writeDraft(folder: string, record: LockRecord): Promise<string> {
  const draft = join(folder, `draft-${randomUUID()}`);
  const isSpare = await rename(sparePath(folder), draft).then(
    () => true,
    () => false,
  );
  await writeBlock(draft, isSpare ? 'r+' : 'wx', JSON.stringify(record)).catch(async (error: unknown) => {
    await rm(draft, { force: true });
    throw error;
  });
  return draft;
}

/** Keeps a file that is no longer needed, or a new one if there is none, for the next draft. */
export async function keepSpare(folder: string, unneeded: string): Promise<void> {
  await rename(unneeded, sparePath(folder)).catch(async () => {
    await writeBlock(sparePath(folder), 'wx', '').catch(() => undefined);
  });
}

/** Deletes the drafts of processes that ended before they could link them. Whoever still needs one writes it again. */
export async function removeDrafts(folder: string): Promise<void> {
  const drafts = (await lockEntries(folder)).filter((name) => name.startsWith('draft-'));
  for (const name of drafts) await rm(join(folder, name), { force: true });
}

function sparePath(folder: string): string {
  return join(folder, 'spare');
}

async function writeBlock(path: string, flags: 'r+' | 'wx', text: string): Promise<void> {
  const block = Buffer.alloc(RECORD_BYTES, ' ');
  const bytes = Buffer.from(text);
  const handle = await open(path, flags, 0o600);
  try {
    const content = bytes.length < block.length ? block.fill(bytes, 0, bytes.length) : bytes;
    await handle.writeFile(content);
    await handle.truncate(content.length);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

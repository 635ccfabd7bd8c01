import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { systemCodeOf } from '../errors/file-error.ts';
import { parseJson } from '../journal/parse-json.ts';
import { ProcessIdentity } from '../journal/record.ts';

const Owner = z.extend(ProcessIdentity, { command: z.string() });
const LockRecord = z.object({ owner: z.nullable(Owner) });
/** What a lock file says: who holds the lock, or that it is free. */
export type LockRecord = z.infer<typeof LockRecord>;

/** Who holds a node's lock. */
export type LockOwner = z.infer<typeof Owner>;

/** The file of this number in the chain. */
export function lockFile(folder: string, number: number): string {
  return join(folder, `lock-${number}`);
}

/** The number that counts; 0 if the lock was never taken. */
export async function highestNumber(folder: string): Promise<number> {
  return Math.max(0, ...(await lockNumbers(folder)));
}

/** All numbers that are there. */
export async function lockNumbers(folder: string): Promise<readonly number[]> {
  return (await lockEntries(folder)).flatMap((name) => {
    const digits = /^lock-(\d+)$/.exec(name)?.[1];
    return digits === undefined ? [] : [Number(digits)];
  });
}

/** The names of all files in the lock's folder. */
export async function lockEntries(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (systemCodeOf(error) === 'ENOENT') return [];
    throw error;
  });
}

/** A lock file is linked only when it is whole, so one that cannot be read was damaged later and holds nothing. */
export async function readLock(folder: string, number: number): Promise<LockRecord | undefined> {
  const text = await readFile(lockFile(folder, number), 'utf8').catch((error: unknown) => {
    if (systemCodeOf(error) === 'ENOENT') return '';
    throw error;
  });
  return LockRecord.safeParse(parseJson(text)).data;
}

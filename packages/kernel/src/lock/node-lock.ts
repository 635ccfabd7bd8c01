import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { fileError, OperatorError, systemCodeOf } from '../errors.ts';
import { parseJson, ProcessIdentity } from '../journal/record.ts';

/** On a full disk, other processes that want the lock may have the only room there is, each for a moment. */
const DRAFT_ATTEMPTS = 10;
const DRAFT_PAUSE_MS = 20;
const NO_ROOM = ['ENOSPC', 'EDQUOT'];
/** Another process deleted the draft to make room, or because it has the lock now. */
const DRAFT_GONE = 'ENOENT';

/** The right to change a node, until released. */
export interface NodeLock {
  release(): Promise<void>;
}

/** What taking the lock needs. `isAlive` says whether exactly that process still runs. */
export interface LockRequest {
  readonly folder: string;
  readonly owner: LockOwner;
  isAlive(process: ProcessIdentity): Promise<boolean>;
}

/**
 * Takes the node's lock, or throws `NODE_LOCKED` naming the living owner; a stopped owner's lock is taken over, on a full
 * disk as well.
 *
 * The lock is a chain of numbered files, of which the highest counts. Every change of hands creates the next number
 * by a hard link, which only one process can win, so two that find the same stopped owner cannot both take over.
 */
export async function acquireNodeLock(request: LockRequest): Promise<NodeLock> {
  const { folder, owner } = request;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (;;) {
      const highest = await highestNumber(folder);
      await refuseIfHeld(request, highest);
      const number = highest + 1;
      if (await claim(folder, number, { owner })) {
        await removeDrafts(folder);
        return { release: async () => release(folder, number) };
      }
    }
  } catch (cause) {
    throw fileError(cause, `take the node's lock in "${folder}"`);
  }
}

/** Who holds the lock right now, dead or alive; `undefined` if it is free. */
export async function nodeLockOwner(folder: string): Promise<LockOwner | undefined> {
  const record = await readLock(folder, await highestNumber(folder));
  return record?.owner ?? undefined;
}

/** A lock that cannot be released stays behind: its owner is about to end, and a stopped owner's lock is taken over. */
async function release(folder: string, number: number): Promise<void> {
  const free = async (): Promise<boolean> => claim(folder, number + 1, { owner: null }).catch(() => true);
  for (let attempt = 1; attempt <= DRAFT_ATTEMPTS; attempt += 1) if (await free()) return;
}

async function refuseIfHeld(request: LockRequest, number: number): Promise<void> {
  const holder = (await readLock(request.folder, number))?.owner;
  if (holder === null || holder === undefined || !(await request.isAlive(holder))) return;
  throw new OperatorError(
    'NODE_LOCKED',
    `Cannot change this node while "${holder.command}" (process ${holder.pid}) does`,
    {
      hint: 'Wait until it exits, or stop it, then run the command again.',
      details: { pid: holder.pid, command: holder.command },
    },
  );
}

/** Makes `number` the highest, unless another process did: then the claim is void, whichever of the two came first. */
async function claim(folder: string, number: number, record: LockRecord): Promise<boolean> {
  const draft = await draftWithRoom(folder, record);
  try {
    await link(draft, lockFile(folder, number));
    if (await isOvertaken(folder, number)) {
      await rm(lockFile(folder, number), { force: true });
      return false;
    }
  } catch (error) {
    if (['EEXIST', DRAFT_GONE].includes(systemCodeOf(error))) return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
  await keepSpare(folder, lockFile(folder, number - 1));
  await removeBelow(folder, number);
  return true;
}

/** Where there is no room, what processes that were killed here have left is deleted first. */
async function draftWithRoom(folder: string, record: LockRecord): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await writeDraft(folder, record);
    } catch (error) {
      if (![...NO_ROOM, DRAFT_GONE].includes(systemCodeOf(error)) || attempt === DRAFT_ATTEMPTS) throw error;
    }
    await removeDrafts(folder);
    await removeBelow(folder, await highestNumber(folder));
    await sleep(DRAFT_PAUSE_MS);
  }
}

/** Asked twice, because one listing may miss a file that is created and another that is deleted while it reads. */
async function isOvertaken(folder: string, number: number): Promise<boolean> {
  return (await highestNumber(folder)) > number || (await highestNumber(folder)) > number;
}

async function removeBelow(folder: string, number: number): Promise<void> {
  for (const older of await lockNumbers(folder)) {
    if (older < number) await rm(lockFile(folder, older), { force: true });
  }
}

/** Every record takes as many bytes as the spare file, so that writing over it needs no more room. */
const RECORD_BYTES = 4096;

/**
 * Writes a record to a file that is not part of the chain yet, and returns its path. The spare file is used if it is
 * there: on a full disk no other can be made.
 */
async function writeDraft(folder: string, record: LockRecord): Promise<string> {
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
async function keepSpare(folder: string, unneeded: string): Promise<void> {
  await rename(unneeded, sparePath(folder)).catch(async () => {
    await writeBlock(sparePath(folder), 'wx', '').catch(() => undefined);
  });
}

/** Deletes the drafts of processes that ended before they could link them. A process that still needs one writes it again. */
async function removeDrafts(folder: string): Promise<void> {
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

const Owner = z.extend(ProcessIdentity, { command: z.string() });
const LockRecord = z.object({ owner: z.nullable(Owner) });
/** What a lock file says: who holds the lock, or that it is free. */
type LockRecord = z.infer<typeof LockRecord>;

/** Who holds a node's lock. */
export type LockOwner = z.infer<typeof Owner>;

/** The file of this number in the chain. */
function lockFile(folder: string, number: number): string {
  return join(folder, `lock-${number}`);
}

/** The number that counts; 0 if the lock was never taken. */
async function highestNumber(folder: string): Promise<number> {
  return Math.max(0, ...(await lockNumbers(folder)));
}

/** All numbers that are there. */
async function lockNumbers(folder: string): Promise<readonly number[]> {
  return (await lockEntries(folder)).flatMap((name) => {
    const digits = /^lock-(\d+)$/.exec(name)?.[1];
    return digits === undefined ? [] : [Number(digits)];
  });
}

/** The names of all files in the lock's folder. */
async function lockEntries(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (systemCodeOf(error) === 'ENOENT') return [];
    throw error;
  });
}

/** A lock file is linked only when it is whole, so one that cannot be read was damaged later and holds nothing. */
async function readLock(folder: string, number: number): Promise<LockRecord | undefined> {
  const text = await readFile(lockFile(folder, number), 'utf8').catch((error: unknown) => {
    if (systemCodeOf(error) === 'ENOENT') return '';
    throw error;
  });
  return LockRecord.safeParse(parseJson(text)).data;
}

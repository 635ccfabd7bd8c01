import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { fileError, systemCodeOf } from '../errors/file-error.ts';
import { OperatorError } from '../errors/operator-error.ts';
import { parseJson } from '../journal/parse-json.ts';
import { ProcessIdentity } from '../journal/record.ts';

const Owner = z.extend(ProcessIdentity, { command: z.string() });
const LockRecord = z.object({ owner: z.nullable(Owner) });
type LockRecord = z.infer<typeof LockRecord>;

/** Who holds a node's lock. */
export type LockOwner = z.infer<typeof Owner>;

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
 * Takes the node's lock, or throws `NODE_LOCKED` naming the living owner; a dead owner's lock is taken over.
 *
 * The lock is a chain of numbered files, of which the highest counts. Every change of hands creates the next number
 * by a hard link, which only one process can win, so two that find the same dead owner cannot both take over.
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
        return { release: async () => release(folder, number) };
      }
    }
  } catch (cause) {
    throw fileError(cause, `take the node's lock in "${folder}"`);
  }
}

/** Who holds the lock right now, dead or alive; `undefined` if nobody does. */
export async function nodeLockOwner(folder: string): Promise<LockOwner | undefined> {
  const record = await readLock(folder, await highestNumber(folder));
  return record?.owner ?? undefined;
}

/** On a disk that is full the lock stays behind: its owner is about to end, and a dead owner's lock is in nobody's way. */
async function release(folder: string, number: number): Promise<void> {
  await claim(folder, number + 1, { owner: null }).catch(() => undefined);
}

async function refuseIfHeld(request: LockRequest, number: number): Promise<void> {
  const holder = (await readLock(request.folder, number))?.owner;
  if (holder === null || holder === undefined || !(await request.isAlive(holder))) return;
  throw new OperatorError(
    'NODE_LOCKED',
    `Cannot change this node while "${holder.command}" (process ${holder.pid}) does`,
    {
      hint: 'Wait until it has ended, or stop it, then run the command again.',
      details: { pid: holder.pid, command: holder.command },
    },
  );
}

/** Makes `number` the highest, unless somebody else did: then the claim is void, whichever of the two came first. */
async function claim(folder: string, number: number, record: LockRecord): Promise<boolean> {
  const draft = join(folder, `draft-${randomUUID()}`);
  const file = lockFile(folder, number);
  try {
    await writeDraft(draft, record);
    await link(draft, file);
    if (await isOvertaken(folder, number)) {
      await rm(file, { force: true });
      return false;
    }
    await removeBelow(folder, number);
    return true;
  } catch (error) {
    if (systemCodeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Asked twice, because one listing may miss a file that is created and another that is deleted while it reads. */
async function isOvertaken(folder: string, number: number): Promise<boolean> {
  return (await highestNumber(folder)) > number || (await highestNumber(folder)) > number;
}

async function writeDraft(path: string, record: LockRecord): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    await handle.writeFile(JSON.stringify(record));
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function removeBelow(folder: string, number: number): Promise<void> {
  for (const older of await lockNumbers(folder)) {
    if (older < number) await rm(lockFile(folder, older), { force: true });
  }
}

async function highestNumber(folder: string): Promise<number> {
  return Math.max(0, ...(await lockNumbers(folder)));
}

async function lockNumbers(folder: string): Promise<readonly number[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (systemCodeOf(error) === 'ENOENT') return [];
    throw error;
  });
  return names.flatMap((name) => {
    const digits = /^lock-(\d+)$/.exec(name)?.[1];
    return digits === undefined ? [] : [Number(digits)];
  });
}

/** A lock nobody can read is nobody's: it is linked only when whole, so what damaged it has outlived its owner. */
async function readLock(folder: string, number: number): Promise<LockRecord | undefined> {
  const text = await readFile(lockFile(folder, number), 'utf8').catch((error: unknown) => {
    if (systemCodeOf(error) === 'ENOENT') return '';
    throw error;
  });
  return LockRecord.safeParse(parseJson(text)).data;
}

function lockFile(folder: string, number: number): string {
  return join(folder, `lock-${number}`);
}

import { appendFile, mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import {
  acquireNodeLock,
  fileError,
  type LockOwner,
  type NodeLock,
  OperatorError,
  type ProcessIdentity,
} from '@fenestra/kernel';
import { lockFolder } from './control.ts';
import { type JournalContent, openJournalFile, readJournalFile } from './journal-file.ts';
import type { RunRecords } from './run.ts';

/** A run's folder with its journal and logs, locked by this process. */
export interface RunFolder extends RunRecords {
  readonly id: string;
  readonly path: string;
  /** Writes pending data and releases the lock, so that other processes can resume the run. */
  close(): Promise<void>;
}

/** The owner of a run's lock, and the functions of this machine that locking needs. */
export interface RunKeeping {
  readonly owner: LockOwner;
  /** Whether exactly this process still runs. */
  isAlive(process: ProcessIdentity): Promise<boolean>;
  syncFolder(path: string): Promise<void>;
}

/** Where the journal of the run in this folder is. */
export function journalPath(folder: string): string {
  return join(folder, 'journal');
}

/** Makes the folder of a new run, accessible to its owner only. */
export async function createRunFolder(runs: string, id: string, keeping: RunKeeping): Promise<RunFolder> {
  const path = join(runs, id);
  try {
    await mkdir(runs, { recursive: true, mode: 0o700 });
    await mkdir(path, { mode: 0o700 });
    await mkdir(nodeLogsFolder(path), { mode: 0o700 });
    const lock = await lockRun(path, keeping);
    const folder = await openFolder(path, { records: [], validBytes: 0 }, lock);
    await keeping.syncFolder(path);
    await keeping.syncFolder(runs);
    return folder;
  } catch (cause) {
    throw fileError(cause, `create the folder "${path}" for the run`);
  }
}

/** Opens the folder of a run to resume it; refused while another process works on it. */
export async function reopenRunFolder(path: string, keeping: RunKeeping): Promise<RunFolder> {
  const lock = await lockRun(path, keeping);
  try {
    return await openFolder(path, await readJournalFile(journalPath(path)), lock);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function openFolder(path: string, content: JournalContent, lock: NodeLock): Promise<RunFolder> {
  const journal = await openJournalFile(journalPath(path), content.validBytes);
  const logs = nodeLogs(path);
  return {
    id: basename(path),
    path,
    earlier: content.records,
    append: async (record) => journal.append(record),
    log: (node, line) => logs.add(node, line),
    async close() {
      await logs.close();
      await journal.close();
      await lock.release();
    },
  };
}

async function lockRun(path: string, keeping: RunKeeping): Promise<NodeLock> {
  const isAlive = async (process: ProcessIdentity): Promise<boolean> => keeping.isAlive(process);
  const request = { folder: lockFolder(path), owner: keeping.owner, isAlive };
  return acquireNodeLock(request).catch((error: unknown) => {
    if (error instanceof OperatorError && error.code === 'NODE_LOCKED') throw runLocked(path, error);
    throw error;
  });
}

function runLocked(path: string, cause: OperatorError): OperatorError {
  const holder = `"${String(cause.details['command'])}" (process ${String(cause.details['pid'])})`;
  return new OperatorError('NODE_LOCKED', `Cannot resume the run "${basename(path)}": ${holder} is working on it`, {
    hint: 'Wait until that process exits, or stop it with "keadm batch abort", then run the command again.',
    details: cause.details,
    cause,
  });
}

function nodeLogsFolder(folder: string): string {
  return join(folder, 'nodes');
}

/** The log of one node of a run. Characters that are not portable in file names are written as `%` and their code. */
export function nodeLogPath(folder: string, node: string): string {
  const name = node.replaceAll(/[^\w.-]/gu, (letter) => `%${letter.codePointAt(0)?.toString(16) ?? ''}`);
  return join(nodeLogsFolder(folder), `${name}.log`);
}

interface NodeLogs {
  add(node: string, line: string): void;
  /** Resolves when all that was added has been written. */
  close(): Promise<void>;
}

/** Writes the logs of a run's nodes one file at a time, to limit the number of open files. */
function nodeLogs(folder: string): NodeLogs {
  let waiting = new Map<string, string>();
  let writing: Promise<void> | undefined;

  async function writeAll(): Promise<void> {
    while (waiting.size > 0) {
      const batch = waiting;
      waiting = new Map();
      for (const [node, text] of batch) await write(nodeLogPath(folder, node), text);
    }
    writing = undefined;
  }

  return {
    add(node, line) {
      waiting.set(node, `${waiting.get(node) ?? ''}${line}\n`);
      writing ??= writeAll();
    },
    close: async () => writing,
  };
}

/** A log that cannot be written does not stop the run. A journal that cannot be written does, and it is on the same disk. */
async function write(path: string, text: string): Promise<void> {
  await appendFile(path, text, { mode: 0o600 }).catch(() => undefined);
}

import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileError, systemCodeOf } from '../errors/file-error.ts';
import { openJournalFile, type JournalFile } from './journal-file.ts';
import { inspectJournal, readJournal, type JournalContent } from './read-journal.ts';

const SUFFIX = '.journal';
const KEPT_JOURNALS = 20;
const SPACE_RESERVE_BYTES = 128 * 1024;

/** What the journal needs of the disk besides files; the platform's file store fits. */
export interface JournalDisk {
  syncFolder(path: string): Promise<void>;
}

/** The journals of one node: a file per run, named by time, so that the newest sorts last. */
export interface JournalFolder {
  readonly path: string;
  /** A new, empty journal for a command. */
  create(command: string): Promise<JournalFile>;
  /** Continues a journal that was read before. */
  reopen(content: JournalContent): Promise<JournalFile>;
  /** Runs that neither finished nor reverted, newest first. A corrupt journal is an error: nobody may guess. */
  unfinished(): Promise<readonly JournalContent[]>;
  /** Every journal's path, oldest first. */
  list(): Promise<readonly string[]>;
  /** Takes a journal out of recovery's sight without deleting it; returns where it is now. */
  setAside(path: string): Promise<string>;
  /** Deletes the oldest finished journals beyond those worth keeping. */
  prune(): Promise<void>;
}

/** Opens the journals kept in a folder, which need not exist yet. */
export function journalFolder(path: string, disk: JournalDisk, now: () => Date): JournalFolder {
  const spaceReserve = join(path, 'space-reserve');

  async function list(): Promise<readonly string[]> {
    const names = await readdir(path).catch((cause: unknown) => {
      if (systemCodeOf(cause) === 'ENOENT') return [];
      throw fileError(cause, `list the journals in "${path}"`);
    });
    return names
      .filter((name) => name.endsWith(SUFFIX))
      .toSorted()
      .map((name) => join(path, name));
  }

  return {
    path,
    list,
    async create(command) {
      try {
        await mkdir(path, { recursive: true, mode: 0o700 });
        await writeFile(spaceReserve, randomBytes(SPACE_RESERVE_BYTES), { mode: 0o600, flush: true });
      } catch (cause) {
        throw fileError(cause, `make room for a journal in "${path}"`);
      }
      const file = join(path, `${compactTime(now())}-${command.replaceAll(/\W+/g, '-')}${SUFFIX}`);
      const journal = await openJournalFile({ path: file, validBytes: 0, spaceReserve, now });
      await disk.syncFolder(path);
      return journal;
    },
    reopen: async ({ path: file, validBytes }) => openJournalFile({ path: file, validBytes, spaceReserve, now }),
    async unfinished() {
      const contents = await Promise.all((await list()).map(readJournal));
      return contents.filter(({ plan }) => plan !== undefined && plan.outcome === undefined).toReversed();
    },
    async setAside(file) {
      const target = setAsidePath(file);
      await rename(file, target).catch((cause: unknown) => {
        throw fileError(cause, `set the journal "${file}" aside`);
      });
      await disk.syncFolder(dirname(file));
      return target;
    },
    async prune() {
      for (const file of (await list()).slice(0, -KEPT_JOURNALS)) {
        const { plan, damage } = await inspectJournal(file);
        if (plan?.outcome !== undefined && damage === undefined) await rm(file, { force: true });
      }
    },
  };
}

/** What a journal that was set aside is called. */
export function setAsidePath(path: string): string {
  return `${path}.set-aside`;
}

/** `20261115T094213.123Z`: sorts as the time does, and is a file name on every system. */
function compactTime(time: Date): string {
  return time.toISOString().replaceAll(/[-:]/g, '');
}

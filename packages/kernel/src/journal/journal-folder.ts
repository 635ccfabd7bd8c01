import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileError, systemCodeOf } from '../errors/file-error.ts';
import { readEndedMark, writeEndedMark } from './ended-mark.ts';
import { openJournalFile, type JournalFile } from './journal-file.ts';
import { journalNames, newestJournal, nextJournal, setAsidePath } from './journal-names.ts';
import { inspectJournal, requireSound, type InspectedJournal, type JournalContent } from './read-journal.ts';

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
  /** The run that neither finished nor reverted, if there is one. A corrupt journal is an error: its run may be it. */
  unfinished(): Promise<readonly JournalContent[]>;
  /** Journals that are damaged or look unfinished, although their runs have ended: a later run shows it. */
  superseded(): Promise<readonly InspectedJournal[]>;
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

  async function entries(): Promise<readonly string[]> {
    return readdir(path).catch((cause: unknown) => {
      if (systemCodeOf(cause) === 'ENOENT') return [];
      throw fileError(cause, `list the journals in "${path}"`);
    });
  }

  /**
   * A run begins only when all runs before it have ended, so only the newest journal can be of one that has not. A mark
   * that does not name exactly this journal is old or damaged and says nothing about it.
   */
  async function inspectAll(): Promise<readonly { journal: InspectedJournal; hasEnded: boolean }[]> {
    const names = await entries();
    const newest = newestJournal(names) ?? '';
    const ended = await readEndedMark(path);
    const inspect = async (name: string): Promise<{ journal: InspectedJournal; hasEnded: boolean }> => ({
      journal: withoutCopy(await inspectJournal(join(path, name)), name),
      hasEnded: name < newest || name === ended,
    });
    return Promise.all(journalNames(names).map(inspect));
  }

  async function openFile(file: string, validBytes: number): Promise<JournalFile> {
    const onEnded = async (): Promise<void> => writeEndedMark(path, basename(file));
    return openJournalFile({ path: file, validBytes, spaceReserve, now, onEnded });
  }

  return {
    path,
    list: async () => journalNames(await entries()).map((name) => join(path, name)),
    async create(command) {
      try {
        await mkdir(path, { recursive: true, mode: 0o700 });
        await writeFile(spaceReserve, randomBytes(SPACE_RESERVE_BYTES), { mode: 0o600, flush: true });
      } catch (cause) {
        throw fileError(cause, `make room for a journal in "${path}"`);
      }
      const newest = newestJournal(await entries());
      const journal = await openFile(join(path, nextJournal(command, now(), newest)), 0);
      await disk.syncFolder(path);
      return journal;
    },
    reopen: async ({ path: file, validBytes }) => openFile(file, validBytes),
    async unfinished() {
      const current = (await inspectAll()).filter(({ hasEnded }) => !hasEnded);
      return current.map(({ journal }) => requireSound(journal)).filter(isOpen);
    },
    async superseded() {
      const ended = (await inspectAll()).filter(({ hasEnded }) => hasEnded).map(({ journal }) => journal);
      return ended.filter((journal) => journal.damage !== undefined || isOpen(journal));
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
      for (const name of journalNames(await entries()).slice(0, -KEPT_JOURNALS)) {
        const file = join(path, name);
        const { plan, damage } = await inspectJournal(file);
        if (plan?.outcome !== undefined && damage === undefined) await rm(file, { force: true });
      }
    },
  };
}

/** A copy under a name of its own would be taken for a later run, and undone if it has lost its tail. */
function withoutCopy(journal: InspectedJournal, name: string): InspectedJournal {
  const original = journal.plan?.begun.journal ?? name;
  return original === name ? journal : { ...journal, damage: `it is a copy of "${original}"` };
}

function isOpen({ plan }: JournalContent): boolean {
  return plan !== undefined && plan.outcome === undefined;
}

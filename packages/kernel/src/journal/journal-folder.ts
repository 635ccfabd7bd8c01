import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileError, systemCodeOf } from '../errors.ts';
import { decodeFrames, encodeFrame } from './frame.ts';
import { type JournalFile, openJournalFile } from './journal-file.ts';
import {
  type InspectedJournal,
  inspectJournal,
  type JournalContent,
  requireSound,
  SET_ASIDE_SUFFIX,
} from './read-journal.ts';

const KEPT_JOURNALS = 20;
const SPACE_RESERVE_BYTES = 128 * 1024;

/** What the journal needs of the disk besides files; the platform's file store fits. */
interface JournalDisk {
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
      journal: await inspectJournal(join(path, name)),
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

function isOpen({ plan }: JournalContent): boolean {
  return plan !== undefined && plan.outcome === undefined;
}

const SUFFIX = '.journal';
const TIME = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d\.\d{3}Z)-/;

/** What a journal that was set aside is called. */
export function setAsidePath(path: string): string {
  return `${path}${SET_ASIDE_SUFFIX}`;
}

/** The journals among the entries of a folder, oldest first. Other files, whose names would sort last, do not count. */
function journalNames(entries: readonly string[]): readonly string[] {
  return entries.filter((name) => name.endsWith(SUFFIX) && TIME.test(name)).toSorted();
}

/** The name of the newest journal among the entries of a folder. One that was set aside counts, too. */
function newestJournal(entries: readonly string[]): string | undefined {
  return journalNames(entries.map((name) => name.replace(SET_ASIDE_SUFFIX, ''))).at(-1);
}

/** A name that sorts after `newest`, even if the clock was set back since. */
function nextJournal(command: string, now: Date, newest: string | undefined): string {
  const earliest = newest === undefined ? 0 : timeOf(newest) + 1;
  const time = new Date(Math.max(now.getTime(), earliest));
  return `${compactTime(time)}-${command.replaceAll(/\W+/g, '-')}${SUFFIX}`;
}

/** `20261115T094213.123Z`: sorts as the time does, and is a file name on every system. */
function compactTime(time: Date): string {
  return time.toISOString().replaceAll(/[-:]/g, '');
}

function timeOf(name: string): number {
  const [, year, month, day, hour, minute, second] = TIME.exec(name) ?? [];
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}`);
  return Number.isNaN(time) ? 0 : time;
}

/** Holds the name of the newest journal whose run has ended. */
const MARK = 'newest-ended';

/**
 * The name of the newest journal whose run has ended; empty if it is unknown, or if its checksum is wrong: a damaged name
 * could be that of a run that has not ended. It is kept apart from the journals, so that one that loses its last record
 * cannot pass for unfinished.
 */
async function readEndedMark(folder: string): Promise<string> {
  const bytes = await readFile(join(folder, MARK)).catch(() => Buffer.alloc(0));
  const { state, texts } = decodeFrames(bytes);
  return state === 'whole' && texts.length === 1 ? (texts[0] ?? '') : '';
}

/** Remembers that this journal's run has ended. The journal itself is what counts, so a failure is ignored. */
async function writeEndedMark(folder: string, name: string): Promise<void> {
  const path = join(folder, MARK);
  try {
    await writeFile(`${path}.tmp`, encodeFrame(name), { mode: 0o600, flush: true });
    await rename(`${path}.tmp`, path);
  } catch {
    // For example on a full disk.
  }
}

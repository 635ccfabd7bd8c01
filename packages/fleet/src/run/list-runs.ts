import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { BatchEvent } from '../report/events.ts';
import { fileError, OperatorError, systemCodeOf } from '@fenestra/kernel';
import { isEvent } from './record.ts';
import { journalPath } from './run-folder.ts';
import { readJournalFile } from './journal-file.ts';
import { runState, type RunState } from './run-state.ts';

/** A run as its journal records it. */
export interface StoredRun {
  readonly id: string;
  readonly folder: string;
  readonly events: readonly BatchEvent[];
  /** `undefined` if the process was killed before it wrote anything; then it did nothing. */
  readonly state: RunState | undefined;
}

const ID = /^\d{8}T\d{6}-[0-9a-f]{4}$/;
const LETTERS = 0x10000;

/** An id for a new run, such as `20261115T094213-5e01`: sorts by time, and is a valid file name on every system. */
export function newRunId(now: Date, random: () => number): string {
  const time = now.toISOString().replaceAll(/[-:]|\..*/g, '');
  return `${time}-${Math.floor(random() * LETTERS)
    .toString(16)
    .padStart(4, '0')}`;
}

/** The ids of all runs in a folder, oldest first. The folder need not exist. */
export async function listRuns(runs: string): Promise<readonly string[]> {
  const names = await readdir(runs).catch((cause: unknown) => {
    if (systemCodeOf(cause) === 'ENOENT') return [];
    throw fileError(cause, `list the runs in "${runs}"`);
  });
  return names.filter((name) => ID.test(name)).toSorted();
}

/** The folder of the run with this name, or of the newest one. */
export async function findRun(runs: string, id: string | undefined): Promise<string> {
  const ids = await listRuns(runs);
  const found = id === undefined ? ids.at(-1) : ids.find((each) => each === id);
  if (found !== undefined) return join(runs, found);
  throw new OperatorError(
    'RUN_NOT_FOUND',
    `Cannot find ${id === undefined ? 'a run' : `the run "${id}"`} in "${runs}"`,
    {
      hint: 'List the runs with "keadm batch status --all", or name their folder with "--runs".',
    },
  );
}

/** Reads the state of a run, which may be in progress. */
export async function readRun(folder: string): Promise<StoredRun> {
  const { records } = await readJournalFile(journalPath(folder));
  return { id: basename(folder), folder, events: records.filter(isEvent), state: runState(records) };
}

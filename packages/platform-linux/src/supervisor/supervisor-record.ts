import type { ProcessIdentity } from '@fenestra/platform';
import { replaceSmallFile } from '../files/small-file.ts';
import { readJsonObject } from './json-file.ts';
import { parseIdentity } from './process-record.ts';

const PHASES = ['running', 'waiting', 'stopping', 'stopped', 'failed'] as const;

/** What a supervisor is doing. `waiting` is for the next restart; `failed` means there will be none. */
export type SupervisorPhase = (typeof PHASES)[number];

/** What a supervisor has last written down. It may be dead since, so nothing in it is true without a look at the processes. */
export interface SupervisorRecord {
  readonly supervisor: ProcessIdentity;
  readonly phase: SupervisorPhase;
  readonly program?: ProcessIdentity;
  /** When the program was started, on the clock of `process.hrtime`, which all processes share until the next boot. */
  readonly programStartedMs?: number;
  readonly exitCode?: number;
}

/** Writes the record synchronously, so that records cannot overtake one another. */
export function writeRecord(path: string, record: SupervisorRecord): void {
  replaceSmallFile(path, JSON.stringify(record));
}

/** The last record, if there is one. */
export async function readRecord(path: string): Promise<SupervisorRecord | undefined> {
  const value = await readJsonObject(path);
  const supervisor = parseIdentity(value?.['supervisor']);
  const phase = PHASES.find((known) => known === value?.['phase']);
  if (supervisor === undefined || phase === undefined) return undefined;
  const program = parseIdentity(value?.['program']);
  const programStartedMs = numberOf(value?.['programStartedMs']);
  const exitCode = numberOf(value?.['exitCode']);
  return {
    supervisor,
    phase,
    ...(program === undefined ? {} : { program }),
    ...(programStartedMs === undefined ? {} : { programStartedMs }),
    ...(exitCode === undefined ? {} : { exitCode }),
  };
}

/** Now, on the clock of `programStartedMs`. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

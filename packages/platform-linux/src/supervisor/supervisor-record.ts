import { readFile } from 'node:fs/promises';
import type { ProcessIdentity } from '@fenestra/platform';
import { fileError, parseJson, systemCodeOf } from '@fenestra/kernel';
import { replaceSmallFile } from '../files/small-file.ts';

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

/** Understands a process identity that was written as JSON. */
export function parseIdentity(value: unknown): ProcessIdentity | undefined {
  if (!isJsonObject(value)) return undefined;
  const { pid, startedAt, bootId } = value;
  if (typeof pid !== 'number' || typeof startedAt !== 'string' || typeof bootId !== 'string') return undefined;
  return { pid, startedAt, bootId };
}

/** Whether two identities are of the same process. */
export function isSameProcess(one: ProcessIdentity, other: ProcessIdentity): boolean {
  return one.pid === other.pid && one.startedAt === other.startedAt && one.bootId === other.bootId;
}

/** An object of unknown content. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The object in a JSON file; `undefined` if the file is absent or holds anything else. */
export async function readJsonObject(path: string): Promise<JsonObject | undefined> {
  try {
    const value = parseJson(await readFile(path, 'utf8'));
    return isJsonObject(value) ? value : undefined;
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCodeOf(cause))) return undefined;
    throw fileError(cause, `read "${path}"`);
  }
}

/** Whether a value is an object and not a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

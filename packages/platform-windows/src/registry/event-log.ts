import { OperatorError } from '@fenestra/kernel';
import type { Native } from '../native.ts';
import { must, mustHave } from '../win32-error.ts';
import { deleteKey, readText, writeValues, REG, encodeText } from './registry.ts';

const LOG_KEY = String.raw`SYSTEM\CurrentControlSet\Services\EventLog\Application`;
/** A program of Windows that carries a message "%1" for each of the ids 1 to 1000: ours needs no separate one. */
const MESSAGE_FILE = String.raw`%SystemRoot%\System32\EventCreate.exe`;
const TYPES = { error: 1, warning: 2, information: 4 } as const;
const ALL_TYPES = 7;
/** Windows refuses longer texts. */
const TEXT_LIMIT = 31_839;

/** How serious an event is. */
export type EventType = keyof typeof TYPES;

/** One of our programs, as the Application event log knows it. */
export interface EventLog {
  /** Registers the source, so that the log shows its texts; safe to do again. */
  register(): void;
  /** Adds an entry. Ids are 1 to 1000. */
  write(type: EventType, id: number, text: string): void;
  /** Forgets the source; its entries stay. */
  remove(): void;
}

/** The Application event log, for the given source. */
export function eventLog(native: Native, source: string): EventLog {
  const key = `${LOG_KEY}\\${source}`;
  return {
    register: () => writeValues(native, key, sourceValues()),
    write: (type, id, text) => report(native, source, { type: TYPES[type], id, text: text.slice(0, TEXT_LIMIT) }),
    remove: () => {
      // A source of the same name that someone else registered is not ours to forget.
      if (readText(native, key, 'EventMessageFile') === MESSAGE_FILE) deleteKey(native, key);
    },
  };
}

function sourceValues() {
  const types = Buffer.alloc(4);
  types.writeUInt32LE(ALL_TYPES);
  return {
    EventMessageFile: { type: REG.EXPAND_SZ, bytes: encodeText(MESSAGE_FILE) },
    TypesSupported: { type: REG.DWORD, bytes: types },
  };
}

function report(native: Native, source: string, event: { type: number; id: number; text: string }): void {
  const { events } = native;
  const action = `write to the event log as "${source}"`;
  const log = mustHave(native, events.RegisterEventSourceW(null, source), action);
  try {
    must(native, events.ReportEventW(log, event.type, 0, event.id, null, 1, 0, [event.text], null), action);
  } finally {
    events.DeregisterEventSource(log);
  }
}

/** Notes an error in the event log, under an id that shows what went wrong. */
export type Note = (id: number, error: unknown) => void;

/** Notes errors for a service that has no other way to speak; a log that refuses changes nothing. */
export function eventNotes(native: Native, name: string): Note {
  return (id, error) => {
    try {
      eventLog(native, name).write('error', id, describeError(error));
    } catch {
      // No one is left to be informed, and the service's own work matters more than its diary.
    }
  };
}

/** An error with its causes, as text: what the operator can do about it, or where in the program it happened. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error instanceof OperatorError ? `${error.message}\nHint: ${error.hint}` : error.stack;
  const text = own ?? error.message;
  return error.cause === undefined ? text : `${text}\nCaused by: ${describeError(error.cause)}`;
}

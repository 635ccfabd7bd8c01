import { OperatorError } from '@fenestra/kernel';
import type { Native } from '../native.ts';
import { eventLog } from '../registry/event-log.ts';

/** Notes an error in the event log, under an id that tells what went wrong. */
export type Note = (id: number, error: unknown) => void;

/** Notes errors for a service that has no other way to speak; a log that refuses changes nothing. */
export function eventNotes(native: Native, name: string): Note {
  return (id, error) => {
    try {
      eventLog(native, name).write('error', id, describeError(error));
    } catch {
      // Nobody is left to be told, and the service's own work matters more than its diary.
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

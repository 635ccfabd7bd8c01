import type { Logger, LogFields } from '@fenestra/platform';
import { StatusError } from '../objects/status-error.ts';

/**
 * What a controller does with a failure: it says so, and goes on. That the object has gone or changed in the meantime
 * is no failure, since another event tells of it; nor is anything after the end.
 */
export function tellFailure(cause: unknown, what: string, fields: LogFields, log: Logger, signal: AbortSignal): void {
  if (signal.aborted || (cause instanceof StatusError && [404, 409].includes(cause.code))) return;
  log.warn(what, { ...fields, cause: String(cause) });
}

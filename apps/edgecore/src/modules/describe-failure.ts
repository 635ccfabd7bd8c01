import { OperatorError, type ErrorCode } from '@fenestra/kernel';
import type { LogFields } from '@fenestra/platform';

/** A failure in words fit for a log or a status file. */
export interface Failure {
  readonly message: string;
  readonly code?: ErrorCode;
  readonly hint?: string;
}

/** Says what went wrong: a catalogue error with its code and hint, anything else by its message. */
export function describeFailure(cause: unknown): Failure {
  if (cause instanceof OperatorError) return { message: cause.message, code: cause.code, hint: cause.hint };
  return { message: cause instanceof Error ? cause.message : String(cause) };
}

/** The same as fields of a log line. */
export function failureFields(cause: unknown): LogFields {
  const { message, ...rest } = describeFailure(cause);
  return { reason: message, ...rest };
}

import { ERROR_CODES, type ErrorCode } from './catalogue.ts';

/** Facts about a failure that are safe to print and log: never tokens, keys or full URLs. */
export type ErrorDetails = Readonly<Record<string, string | number | boolean>>;

/** What an operator needs besides the message. The hint is one instruction. */
export interface OperatorErrorOptions {
  readonly hint: string;
  readonly cause?: unknown;
  readonly details?: ErrorDetails;
}

/** A failure the operator can act on. Bugs stay plain `Error`. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
  readonly code: ErrorCode;
  readonly hint: string;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, options: OperatorErrorOptions) {
    super(message, { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.details = options.details ?? {};
  }

  /** What the process returns to its caller for this failure. */
  get exitCode(): number {
    return ERROR_CODES[this.code];
  }
}

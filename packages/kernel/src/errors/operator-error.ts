import { ERROR_CODES, type ErrorCode } from './catalogue.ts';

/** Facts about a failure that are safe to print and log: never tokens, keys or full URLs. */
export type ErrorDetails = Readonly<Record<string, string | number | boolean>>;

/** What an operator needs besides the message. The hint is one instruction. */
export interface OperatorErrorOptions {
  readonly hint: string;
  readonly cause?: unknown;
  readonly details?: ErrorDetails;
}

/** What tells an `OperatorError` from other errors, in every copy of this code. */
const BRAND = Symbol.for('fenestra.OperatorError');

/** A failure the operator can act on. Bugs stay plain `Error`. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
  readonly [BRAND] = true;
  readonly code: ErrorCode;
  readonly hint: string;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, options: OperatorErrorOptions) {
    super(message, { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.details = options.details ?? {};
  }

  /** One executable holds several bundles, each with a copy of this class: an instance of any of them is one. */
  static override [Symbol.hasInstance](value: unknown): value is OperatorError {
    return typeof value === 'object' && value !== null && BRAND in value;
  }

  /** What the process returns to its caller for this failure. */
  get exitCode(): number {
    return ERROR_CODES[this.code];
  }
}

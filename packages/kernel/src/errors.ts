import { inspect } from 'node:util';

/**
 * Every code an operator can meet, with the exit code the CLI returns for it.
 * `docs/errors.md` has one section per code; a test keeps the two alike.
 */
export const ERROR_CODES = {
  USAGE: 2,
  PRIVILEGE_REQUIRED: 3,
  CHECKS_FAILED: 4,
  NODE_LOCKED: 5,
  JOURNAL_CORRUPT: 6,
  REVERT_INCOMPLETE: 7,
  FINISH_INCOMPLETE: 8,
  NOT_SUPPORTED: 9,
  SERVICE_NOT_FOUND: 10,
  SERVICE_FAILED: 11,
  SERVICE_CONFLICT: 12,
  TIMED_OUT: 13,
  DISK_FULL: 20,
  READ_ONLY: 21,
  ACCESS_DENIED: 22,
  PATH_NOT_FOUND: 23,
  FILE_IN_USE: 24,
  UNSAFE_PATH: 25,
  FILE_FAILED: 26,
  ASSET_INVALID: 30,
  SYSTEM_CALL_FAILED: 31,
  COMMAND_FAILED: 32,
  MESSAGE_INVALID: 40,
  TOKEN_INVALID: 41,
  CERTIFICATE_INVALID: 42,
  HUB_UNREACHABLE: 43,
  HUB_UNTRUSTED: 44,
  CLOCK_WRONG: 45,
  CERTIFICATE_REJECTED: 46,
  HUB_NOT_CONNECTED: 47,
  HUB_QUEUE_FULL: 48,
  CANNOT_LISTEN: 49,
  API_UNREACHABLE: 50,
  API_FORBIDDEN: 51,
  API_NOT_FOUND: 52,
  API_CONFLICT: 53,
  API_REFUSED: 54,
  API_FAILED: 55,
  KUBECONFIG_INVALID: 56,
  API_UNTRUSTED: 57,
  CLUSTER_INFO_FORGED: 58,
  CLUSTER_INFO_CHANGED: 59,
  CONFIG_INVALID: 60,
  NODE_ABSENT: 61,
  NODE_NAME_TAKEN: 62,
  NODE_CONFLICT: 63,
  AGENT_UNHEALTHY: 64,
  RELOAD_REVERTED: 65,
  RUNTIME_UNUSABLE: 66,
  SCRIPT_FAILED: 67,
  CONFIRMATION_NEEDED: 68,
  INTERNAL: 70,
  RELEASE_INVALID: 80,
  RELEASE_UNTRUSTED: 81,
  DOWNLOAD_FAILED: 82,
  DOWNGRADE_REFUSED: 83,
  BACKUP_INVALID: 84,
  BACKUP_NOT_FOUND: 85,
  PASSPHRASE_WRONG: 86,
  VERSION_SKEW: 87,
  REMOTE_UNREACHABLE: 90,
  REMOTE_TIMEOUT: 91,
  REMOTE_LOST: 92,
  REMOTE_AUTH: 93,
  HOST_KEY_UNKNOWN: 94,
  HOST_KEY_CHANGED: 95,
  REMOTE_UNSUPPORTED: 96,
  REMOTE_COMMAND_FAILED: 97,
  DELIVERY_FAILED: 98,
  BECOME_REFUSED: 99,
  BATCH_FAILED: 101,
  BATCH_HALTED: 102,
  RUN_NOT_FOUND: 103,
  SECRET_UNAVAILABLE: 104,
  CA_NOT_PINNED: 110,
  IDENTITY_REFUSED: 111,
  KUBELET_UNHEALTHY: 112,
  NODE_REVOKED: 113,
  USER_DATA_BROKEN: 120,
  USER_DATA_DOUBTFUL: 121,
  INTERRUPTED: 130,
} as const;

/** A code from the catalogue. */
export type ErrorCode = keyof typeof ERROR_CODES;

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

interface Meaning {
  readonly code: ErrorCode;
  readonly hint: string;
}

const MEANINGS: Readonly<Record<string, Meaning>> = {
  ENOSPC: { code: 'DISK_FULL', hint: 'Free some space on this disk, then run the command again.' },
  EDQUOT: { code: 'DISK_FULL', hint: 'Raise the disk quota of this account, then run the command again.' },
  EROFS: { code: 'READ_ONLY', hint: 'Mount the file system writable, then run the command again.' },
  EACCES: { code: 'ACCESS_DENIED', hint: 'Run the command as an administrator.' },
  EPERM: { code: 'ACCESS_DENIED', hint: 'Run the command as an administrator.' },
  ENOENT: { code: 'PATH_NOT_FOUND', hint: 'Check that the path exists and is spelled right.' },
  ENOTDIR: { code: 'PATH_NOT_FOUND', hint: 'Check that every part of the path but the last is a folder.' },
  EISDIR: { code: 'FILE_FAILED', hint: 'It is a folder: name a file.' },
  EBUSY: { code: 'FILE_IN_USE', hint: 'Close the program that uses the file, then run the command again.' },
  ETXTBSY: { code: 'FILE_IN_USE', hint: 'Stop the program that runs from this file, then run the command again.' },
};

const UNKNOWN: Meaning = { code: 'FILE_FAILED', hint: 'Check the cause and the health of the disk.' };

/** Turns what the file system said into a catalogue error. `action` completes "Cannot …". An operator error passes through. */
export function fileError(cause: unknown, action: string): OperatorError {
  if (cause instanceof OperatorError) return cause;
  const systemCode = systemCodeOf(cause);
  const { code, hint } = MEANINGS[systemCode] ?? UNKNOWN;
  return new OperatorError(code, `Cannot ${action} (${systemCode})`, { hint, cause });
}

/** The `code` Node puts on a failed system call, such as `ENOENT`. */
export function systemCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
}

/** How many causes of a cause are shown. */
const DEPTH = 5;
const STACK_FRAME = /^\s+at /;

/** Wraps an error that no code has foreseen: a bug in this program. The details hold the stack, and never source text. */
export function internalError(error: unknown): OperatorError {
  const message = error instanceof Error ? nameAndMessage(error) : inspect(error, { depth: 1 });
  return new OperatorError('INTERNAL', `Internal error: ${message}`, {
    hint: 'Please report it with the command line, the version ("keadm version") and all of this output.',
    details: { stack: stackText(error, DEPTH) },
  });
}

/** `error.stack` begins with the source line for some errors: only its frames are kept. */
function stackText(error: unknown, depth: number): string {
  if (!(error instanceof Error)) return '';
  const frames = (error.stack ?? '').split('\n').filter((line) => STACK_FRAME.test(line));
  if (!(error.cause instanceof Error) || depth === 0) return frames.join('\n');
  return [...frames, `Caused by ${nameAndMessage(error.cause)}`, stackText(error.cause, depth - 1)].join('\n');
}

function nameAndMessage({ name, message }: Error): string {
  return `${name}: ${message}`;
}

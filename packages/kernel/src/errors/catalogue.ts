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
  HUB_UNREACHABLE: 40,
  HUB_UNTRUSTED: 41,
  CA_MISMATCH: 42,
  TOKEN_REJECTED: 43,
  CLOCK_WRONG: 44,
  CERTIFICATE_REJECTED: 45,
  HUB_NOT_CONNECTED: 46,
  HUB_QUEUE_FULL: 47,
  INTERRUPTED: 130,
} as const;

/** A code from the catalogue. */
export type ErrorCode = keyof typeof ERROR_CODES;

import { OperatorError, systemCodeOf } from '@fenestra/kernel';
import { pause, throwIfAborted } from '@fenestra/platform';

/** How long to go on trying. */
export interface RetryPolicy {
  /** How many failures in a row, without any progress in between, are the end. */
  readonly attempts: number;
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
  /** How long a transfer may stand still. */
  readonly stallMs: number;
}

/** For whole downloads: about half a minute of trying after the last sign of life. */
export const DOWNLOAD_POLICY: RetryPolicy = {
  attempts: 6,
  firstDelayMs: 1_000,
  longestDelayMs: 15_000,
  stallMs: 30_000,
};

/** For the small files that a command asks for before it has a plan. */
export const LOOKUP_POLICY: RetryPolicy = { ...DOWNLOAD_POLICY, attempts: 3, stallMs: 15_000 };

/** Something that is worth trying. */
export interface Attempts<Result> {
  /** Completes "Cannot …" and "… while …": `fetch "https://…"`. */
  readonly action: string;
  readonly attempt: () => Promise<Result>;
  /** How far it has come; more than last time means that failures are counted from the beginning. */
  readonly progress: () => number;
  readonly say: (text: string) => void;
}

/** Tries again after whatever passes: broken connections, busy servers. An operator error is final. */
export async function withRetries<Result>(
  { action, attempt, progress, say }: Attempts<Result>,
  policy: RetryPolicy,
  signal: AbortSignal,
): Promise<Result> {
  let reached = progress();
  for (let failures = 1; ; failures += 1) {
    throwIfAborted(`trying to ${action}`, signal);
    try {
      return await attempt();
    } catch (cause) {
      throwIfAborted(`trying to ${action}`, signal);
      if (cause instanceof OperatorError) throw cause;
      if (progress() > reached) failures = 1;
      if (failures >= policy.attempts || isCertificateProblem(cause)) throw failed(action, cause);
      reached = progress();
      say(`${describe(cause)}; trying again`);
      await pause(delayMs(failures, policy), `trying to ${action}`, signal);
    }
  }
}

/** Half of it by chance, so that a thousand nodes do not come back at once. */
function delayMs(failures: number, { firstDelayMs, longestDelayMs }: RetryPolicy): number {
  const full = Math.min(longestDelayMs, firstDelayMs * 2 ** (failures - 1));
  return full / 2 + (Math.random() * full) / 2;
}

/** Time does not heal these. */
function isCertificateProblem(cause: unknown): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/.test(systemCodeOf(cause));
}

function failed(action: string, cause: unknown): OperatorError {
  const certificate = isCertificateProblem(cause);
  const hint = certificate
    ? 'Check the clock; behind a TLS inspector set KEADM_CA_FILE to the file of its CA.'
    : 'Check the address, and HTTPS_PROXY if you are behind a proxy; then run the command again.';
  return new OperatorError('DOWNLOAD_FAILED', `Cannot ${action}: ${describe(cause)}`, {
    hint,
    details: certificate ? { certificate } : {},
    cause,
  });
}

function describe(cause: unknown): string {
  const code = systemCodeOf(cause);
  if (code !== 'unknown') return code;
  return cause instanceof Error ? cause.message : String(cause);
}

/** A transfer that must say whenever something has arrived. */
export type Transfer<Result> = (signal: AbortSignal, alive: () => void) => Promise<Result>;

/** Runs a transfer, and breaks it off when nothing arrives for so long; that is an error with a message for people. */
export async function unlessStalled<Result>(
  limitMs: number,
  transfer: Transfer<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const stalled = new AbortController();
  const timer = setTimeout(() => stalled.abort(), limitMs);
  try {
    return await transfer(AbortSignal.any([signal, stalled.signal]), () => void timer.refresh());
  } catch (cause) {
    throw stalled.signal.aborted ? new Error(`nothing was received for ${limitMs / 1000} s`, { cause }) : cause;
  } finally {
    clearTimeout(timer);
  }
}

import { CLOUD_SECRETS, parseJoinToken } from '@fenestra/contracts';
import type { Logger } from '@fenestra/platform';
import { setTimeout as sleep } from 'node:timers/promises';
import { signJoinToken, type SecretStore } from '@fenestra/lifecycle/cloud';
import { verifyJoinToken, type TokenAuthority } from './join-tokens.ts';

/** What keeping the join token fresh needs. */
export interface TokenKeeperOptions {
  readonly authority: TokenAuthority;
  readonly store: SecretStore;
  readonly log: Logger;
  readonly now: () => Date;
  /** Read before every step, so that a reload can change it. Tokens live twice as long. */
  readonly refreshHours: () => number;
  readonly random?: () => number;
  /** Waits; by default for the given time. */
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** How the join token is. */
export interface TokenKeeper {
  /** When the stored token ends, as far as is known. */
  readonly expiresAt: Date | undefined;
  /** Whether the stored token, as far as is known, lets nodes join now. */
  readonly valid: boolean;
  /** Resolves once a valid token is stored for the first time; keeps trying until then. */
  readonly stored: Promise<void>;
  /** Resolves after the signal has fired. */
  readonly stopped: Promise<void>;
}

const HOUR_MS = 60 * 60 * 1000;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 5 * 60_000;
/** The clock may jump and another replica may be faster, so the stored token is looked at this often. */
const LOOK_MS = 10 * 60_000;

const { name: SECRET, token: TOKEN } = CLOUD_SECRETS.token;

/** Keeps a join token with at least half its life left in the secret, for as long as the cloud runs. No failure ends it. */
export function keepToken(options: TokenKeeperOptions, signal: AbortSignal): TokenKeeper {
  const { random = Math.random, pause: wait = pause } = options;
  const state: { expiresAt: Date | undefined } = { expiresAt: undefined };
  const stored = Promise.withResolvers<void>();
  const run = async (): Promise<void> => {
    let failures = 0;
    while (!signal.aborted) {
      try {
        state.expiresAt = await refresh(options, signal);
        failures = 0;
        stored.resolve();
      } catch (error) {
        failures += 1;
        if (!signal.aborted) options.log.error('Cannot refresh the join token', { error: String(error), failures });
      }
      await wait(failures === 0 ? LOOK_MS : retryDelay(failures, random), signal);
    }
  };
  return {
    get expiresAt() {
      return state.expiresAt;
    },
    get valid() {
      return state.expiresAt !== undefined && state.expiresAt > options.now();
    },
    stored: stored.promise,
    stopped: run(),
  };
}

/** Replaces the stored token unless it is ours and is valid long enough; returns when the one that is there ends. */
async function refresh(options: TokenKeeperOptions, signal: AbortSignal): Promise<Date> {
  const { authority, store, log, now, refreshHours } = options;
  const refreshMs = refreshHours() * HOUR_MS;
  const current = await expiryOf(options, (await store.read(SECRET, signal))?.[TOKEN]);
  if (current !== undefined && current - now().getTime() > refreshMs) return new Date(current);
  const expiresAt = now().getTime() + 2 * refreshMs;
  const token = Buffer.from(await signJoinToken(authority, { expiresAt }));
  await store.update(SECRET, (data) => ({ ...data, [TOKEN]: token }), signal);
  log.info('Made a new join token', { expiresAt: new Date(expiresAt).toISOString() });
  return new Date(expiresAt);
}

async function expiryOf(
  { authority, now }: TokenKeeperOptions,
  token: Uint8Array | undefined,
): Promise<number | undefined> {
  if (token === undefined) return undefined;
  try {
    const { jwt } = parseJoinToken(Buffer.from(token).toString('utf8'));
    return (await verifyJoinToken(authority, jwt, now())).expiresAt;
  } catch {
    // Expired, of another CA or no token at all: a new one is due.
    return undefined;
  }
}

function retryDelay(failures: number, random: () => number): number {
  return Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1)) * (0.5 + random() / 2);
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
}

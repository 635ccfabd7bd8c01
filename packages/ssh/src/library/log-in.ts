import { OperatorError } from '@fenestra/kernel';
import { type RemoteTarget, throwIfAborted } from '@fenestra/platform';
import type { HostKeyBook } from '../host-keys/host-key-book.ts';
import { knownTypes, placeName } from '../host-keys/judge-host-key.ts';
import { keyType } from '../host-keys/known-hosts.ts';
import { connectError, refused, tooSlow } from '../remote-errors.ts';
import { algorithmsFor, openSocket, type Way } from './open-socket.ts';
import { type AuthOrder, authOrder, type KeyRing, prepareAuth, type PreparedAuth } from './auth.ts';

import ssh2, { type Client, type ConnectConfig } from 'ssh2';

const KEEPALIVES_PER_IDLE_TIMEOUT = 3;
/** `watchIdle` counts bytes instead; the library only has to send keepalives. */
const NEVER = Number.MAX_SAFE_INTEGER;

/** A client that is logged in, and what it speaks over. */
export interface LoggedIn {
  readonly client: Client;
  readonly way: Way;
}

/** What the connections to all machines share. */
export interface Shared {
  readonly book: HostKeyBook;
  readonly keys: KeyRing;
}

/** Connects to one machine and logs in, within the machine's own limit. */
export async function logIn(
  target: RemoteTarget,
  through: Client | undefined,
  { keys, ...shared }: Shared,
  signal: AbortSignal,
): Promise<LoggedIn> {
  const activity = `connecting to ${placeName(target)}`;
  throwIfAborted(activity, signal);
  const auth = await prepareAuth(target.user, target.auth, keys);
  if (auth.attempts.length === 0) throw nothingToTry(target, auth);
  const limit = AbortSignal.timeout(target.limits.connectSeconds * 1000);
  try {
    return await logInByAnyKey({ ...shared, target, through, auth, signal: AbortSignal.any([signal, limit]) });
  } catch (error) {
    throwIfAborted(activity, signal);
    if (limit.aborted) throw tooSlow(target, 'log in to', target.limits.connectSeconds, error);
    throw connectError(target, error);
  }
}

interface Attempt extends Omit<Shared, 'keys'> {
  readonly target: RemoteTarget;
  readonly through: Client | undefined;
  readonly auth: PreparedAuth;
  readonly signal: AbortSignal;
}

/** A fingerprint does not tell the type of its key, so a machine with several keys is asked for the others too. */
async function logInByAnyKey(attempt: Attempt): Promise<LoggedIn> {
  const refusedTypes = new Set<string>();
  let first: unknown;
  for (;;) {
    const shown: { type?: string } = {};
    try {
      return await logInOnce(attempt, refusedTypes, shown);
    } catch (error) {
      const { type } = shown;
      if (type === undefined || refusedTypes.has(type) || !isOtherPin(attempt.target, error)) throw first ?? error;
      first ??= error;
      refusedTypes.add(type);
    }
  }
}

function isOtherPin({ hostKeys }: RemoteTarget, error: unknown): boolean {
  return hostKeys.length > 0 && error instanceof OperatorError && error.code === 'HOST_KEY_CHANGED';
}

async function logInOnce(
  attempt: Attempt,
  refusedTypes: ReadonlySet<string>,
  shown: { type?: string },
): Promise<LoggedIn> {
  const { target, through, book, auth, signal } = attempt;
  const known = knownTypes(await book.expected(target));
  const way = await openSocket(target, through, signal);
  const order = authOrder(auth.attempts);
  const client = new ssh2.Client();
  let wrongKey: unknown;
  let accepted: Buffer | undefined;
  async function judge(key: Buffer, verify: (accepted: boolean) => void): Promise<void> {
    try {
      await book.check(target, key, signal);
      accepted = Buffer.from(key);
      verify(true);
    } catch (error) {
      wrongKey = error;
      verify(false);
    }
  }
  const config: ConnectConfig = {
    sock: way,
    username: target.user,
    algorithms: algorithmsFor(known, refusedTypes),
    readyTimeout: 0,
    keepaliveInterval: (target.limits.idleTimeoutSeconds * 1000) / KEEPALIVES_PER_IDLE_TIMEOUT,
    keepaliveCountMax: NEVER,
    hostVerifier: (key: Buffer, verify: (accepted: boolean) => void) => {
      // Keys are exchanged again now and then; the library cannot wait then, and the machine must still be the same.
      if (accepted !== undefined) return verify(accepted.equals(key));
      shown.type = keyType(key);
      void judge(key, verify);
    },
  };
  try {
    await untilReady(client, config, attempt, order);
    return { client, way };
  } catch (error) {
    client.destroy();
    way.destroy();
    throw wrongKey ?? error;
  }
}

async function untilReady(client: Client, config: ConnectConfig, attempt: Attempt, order: AuthOrder): Promise<void> {
  const { target, auth, signal } = attempt;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const refuse = (cause?: unknown): void => reject(notLetIn(target, auth, order, cause));
  const stop = (): void => reject(signal.reason);
  const close = (): void => reject(new Error('the machine closed the connection'));
  client
    .on('error', (error) => {
      if (isTooManyFailures(error)) refuse(error);
      // The library goes on to the next way by itself after these.
      else if (!isOneAttempt(error)) reject(error);
    })
    .on('change password', () => reject(expired(target)))
    .on('close', close)
    .once('ready', () => resolve());
  signal.addEventListener('abort', stop, { once: true });
  try {
    client.connect({
      ...config,
      authHandler: (offered: string[] | null, halfway: boolean | null, next) => {
        const found = order.next(offered ?? undefined, halfway === true);
        if (found === undefined) refuse();
        else next(found.auth);
      },
    });
    await promise;
  } finally {
    // The signal is on until its time is up, and would keep the connection in memory until then.
    signal.removeEventListener('abort', stop);
    client.off('close', close);
  }
}

function isOneAttempt(error: Error & { level?: string }): boolean {
  return error.level === 'agent' || error.level === 'client-authentication';
}

function isTooManyFailures(error: Error): boolean {
  return /too many authentication failures/i.test(error.message);
}

function notLetIn(target: RemoteTarget, auth: PreparedAuth, order: AuthOrder, cause: unknown): OperatorError {
  const tried = order.tried().join(', ') || 'nothing';
  const offered = order.offered().join(', ') || 'nothing else';
  const untried = order.untried().map((label) => `${label} was not asked for`);
  const reasons = [`tried ${tried}; the machine offers ${offered}`, ...untried, ...auth.problems];
  const hint =
    cause === undefined
      ? 'Check the account and the ways to log in that are given for this machine.'
      : 'The machine rejected too many keys: configure the right key instead of an agent with many keys.';
  return refused(target, reasons.join('; '), { hint, cause, details: { offered } });
}

function nothingToTry(target: RemoteTarget, { problems }: PreparedAuth): OperatorError {
  const reason = problems.length === 0 ? 'no way to log in is given' : problems.join('; ');
  return refused(target, reason, { hint: hintFor(reason) });
}

function hintFor(reason: string): string {
  if (reason.includes('needs a passphrase')) return 'Give the passphrase of the key, or load the key into an agent.';
  if (reason.includes('certificate')) return 'Set "transport: system" for this machine.';
  return 'Give an agent, a key or a password for this machine.';
}

function expired(target: RemoteTarget): OperatorError {
  return refused(target, 'the password has expired', { hint: 'Log in manually and change the password.' });
}

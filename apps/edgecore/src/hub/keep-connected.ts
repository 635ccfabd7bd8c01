import { OperatorError, type ErrorCode } from '@fenestra/kernel';
import type { Logger } from '@fenestra/platform';
import type { CertificateKeeper } from '../certificates/certificate-keeper.ts';
import { validityOf, type NodeIdentity } from '../certificates/node-identity.ts';
import { renewInTime } from '../certificates/renew-in-time.ts';
import { type Alarm, type BackoffPolicy, createAlarm, exponentialBackoff } from '../modules/waiting.ts';
import { failureFields } from '../modules/describe-failure.ts';
import { openHubConnection, type ConnectionOptions, type HubConnection, type Receiver } from './hub-connection.ts';
import type { HubLink, Unsubscribe } from './hub-link.ts';
import type { HubPace } from './hub-settings.ts';

/** How the node stays connected. */
export interface KeepConnectedOptions {
  readonly link: HubLink;
  readonly keeper: CertificateKeeper;
  readonly connection: Omit<ConnectionOptions, keyof NodeIdentity | keyof HubPace>;
  /** How connections are used and managed at present. */
  readonly pace: () => HubPace;
  /** Calls the listener at every change of the pace. */
  readonly onPace?: (listener: (pace: HubPace) => void) => Unsubscribe;
  readonly now: () => Date;
  readonly random: () => number;
  readonly log: Logger;
  /** Called with what keeps the node from the cloud, and `undefined` once nothing does. */
  readonly onProblem: (problem: unknown) => void;
  readonly reconnects?: BackoffPolicy;
  /** Ends the wait before the next try. */
  readonly retryNow?: Alarm;
}

/** How a try to be connected has ended. */
interface Session {
  /** A new identity is there to be tried at once. */
  readonly renewed: boolean;
  readonly lastedMs: number;
  readonly problem: unknown;
}

/** Wide enough that the nodes of a cloud that restarts come back spread out, short enough that all do in a minute. */
const RECONNECTS: BackoffPolicy = { firstMs: 2_000, capMs: 30_000, healthyAfterMs: 60_000 };

/** Connects, waits for the end of the connection, waits a while and connects again, until the signal fires. */
export async function keepConnected(options: KeepConnectedOptions, signal: AbortSignal): Promise<void> {
  const { random, log, onProblem, retryNow = createAlarm(), reconnects = RECONNECTS } = options;
  const backoff = exponentialBackoff(reconnects, random);
  while (!signal.aborted) {
    const { renewed, problem, lastedMs } = await tryOnce(options, signal);
    if (renewed || signal.aborted) continue;
    onProblem(problem);
    const waitMs = backoff.next(lastedMs);
    log.warn('Not connected to the cloud; trying again', { ...failureFields(problem), waitMs });
    await retryNow.wait(waitMs, signal);
  }
}

async function tryOnce(options: KeepConnectedOptions, signal: AbortSignal): Promise<Session> {
  try {
    const identity = await options.keeper.current(signal);
    const pace = options.pace();
    const connection = await connect(options, identity, pace, signal);
    // A reload may have changed the pace while the connection was being made.
    if (options.pace() !== pace) connection.tune(options.pace());
    return await stayConnected(options, identity, connection, signal);
  } catch (problem) {
    return heal(options, problem, signal);
  }
}

async function connect(
  { connection, link, now }: KeepConnectedOptions,
  identity: NodeIdentity,
  pace: HubPace,
  signal: AbortSignal,
): Promise<HubConnection> {
  const receive: Receiver = (message, origin) => link.receive(message, origin);
  try {
    return await openHubConnection({ ...connection, ...pace, ...identity }, receive, signal);
  } catch (cause) {
    // A cloud may just hang up on a certificate that has expired: then this is the likelier reason.
    const { until } = validityOf(identity);
    if (hasCode(cause, ['HUB_UNREACHABLE']) && until <= now()) throw expired(until, cause);
    throw cause;
  }
}

async function stayConnected(
  options: KeepConnectedOptions,
  identity: NodeIdentity,
  connection: HubConnection,
  signal: AbortSignal,
): Promise<Session> {
  const { link, log, onProblem } = options;
  const began = performance.now();
  log.info('Connected to the cloud', { server: options.connection.server });
  onProblem(undefined);
  link.attach(connection);
  const upkeep = keepUp(options, identity, connection, signal);
  const unfollow = options.onPace?.((pace) => {
    connection.tune(pace);
    upkeep.rotate(pace.rotate);
  });
  const reason = await connection.ended;
  unfollow?.();
  link.detach(connection, reason);
  log.info('The connection to the cloud has ended', { reason });
  return { renewed: await upkeep.end(), lastedMs: performance.now() - began, problem: ended(reason) };
}

/** What goes on beside a connection: it ends with the agent, and with the certificate that it was made with. */
function keepUp(
  options: KeepConnectedOptions,
  identity: NodeIdentity,
  connection: HubConnection,
  signal: AbortSignal,
): Upkeep {
  const stop = (): void => connection.close('the agent stops');
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const renewal = renewalSwitch(
    async (until) => renewInTime(options, identity, AbortSignal.any([signal, until])),
    () => connection.close('the certificate was renewed'),
  );
  renewal.rotate(options.pace().rotate);
  return {
    rotate: (wanted) => renewal.rotate(wanted),
    async end() {
      signal.removeEventListener('abort', stop);
      return renewal.end();
    },
  };
}

interface Upkeep {
  /** Whether the certificate is renewed when it is due. */
  rotate(wanted: boolean): void;
  /** Ends it with its connection; says whether there is a new identity to be tried at once. */
  end(): Promise<boolean>;
}

/**
 * A renewal that can be switched on and off while its connection lasts. One that was switched off ends before the next
 * begins, so that two never write the identity at the same time.
 */
function renewalSwitch(renew: (until: AbortSignal) => Promise<boolean>, onRenewed: () => void): Upkeep {
  let over = new AbortController();
  let isOn = false;
  let renewed = false;
  let work: Promise<void> = Promise.resolve();
  const renewAfter = async (earlier: Promise<void>, until: AbortSignal): Promise<void> => {
    await earlier;
    if (until.aborted || renewed || !(await renew(until))) return;
    renewed = true;
    onRenewed();
  };
  return {
    rotate(wanted) {
      if (wanted === isOn) return;
      isOn = wanted;
      over.abort();
      if (!wanted) return;
      over = new AbortController();
      work = renewAfter(work, over.signal);
    },
    async end() {
      over.abort();
      await work;
      return renewed;
    },
  };
}

/** A join token that was put there since may help where the identity itself is the problem. */
async function heal({ keeper }: KeepConnectedOptions, problem: unknown, signal: AbortSignal): Promise<Session> {
  const failed = { renewed: false, lastedMs: 0, problem };
  if (signal.aborted || !hasCode(problem, ['HUB_UNTRUSTED', 'CERTIFICATE_REJECTED'])) return failed;
  try {
    return { ...failed, renewed: await keeper.heal(signal) };
  } catch (cause) {
    return { ...failed, problem: cause };
  }
}

function hasCode(problem: unknown, codes: readonly ErrorCode[]): boolean {
  return problem instanceof OperatorError && codes.includes(problem.code);
}

function expired(until: Date, cause: unknown): OperatorError {
  return new OperatorError('CERTIFICATE_REJECTED', "Cannot connect to the cloud: the node's certificate has expired", {
    hint: 'Put a token from "keadm gettoken" into "modules.edgeHub.token", then reload the agent.',
    cause,
    details: { expiredAt: until.toISOString() },
  });
}

function ended(reason: string): OperatorError {
  return new OperatorError('HUB_NOT_CONNECTED', `The connection to the cloud has ended: ${reason}`, {
    hint: 'Wait for the agent to connect again; if this repeats, read the log of the cloud.',
  });
}

import type { Logger } from '@fenestra/platform';
import { type BackoffPolicy, exponentialBackoff, pause, pauseUntil } from '../modules/waiting.ts';
import { failureFields } from '../modules/describe-failure.ts';
import type { CertificateKeeper } from './certificate-keeper.ts';
import { type NodeIdentity, type Validity, validityOf } from './node-identity.ts';

/** What a renewal needs. */
interface RenewalOptions {
  readonly keeper: CertificateKeeper;
  readonly now: () => Date;
  readonly random: () => number;
  readonly log: Logger;
}

const TRIES: BackoffPolicy = { firstMs: 2_000, capMs: 600_000, healthyAfterMs: Infinity };

/** Waits until the certificate is due and renews it, as often as it takes. False when the signal fired before. */
export async function renewInTime(
  { keeper, now, random, log }: RenewalOptions,
  identity: NodeIdentity,
  signal: AbortSignal,
): Promise<boolean> {
  const backoff = exponentialBackoff(TRIES, random);
  await pauseUntil(renewalTime(validityOf(identity), random), now, signal);
  while (!signal.aborted) {
    try {
      await keeper.renew(signal);
      log.info("The node's certificate is renewed");
      return true;
    } catch (cause) {
      if (signal.aborted) return false;
      const waitMs = backoff.next(0);
      log.warn("Cannot renew the node's certificate; trying again", { ...failureFields(cause), waitMs });
      await pause(waitMs, signal);
    }
  }
  return false;
}

/** When to ask for the next certificate: after 70 to 90 % of the life of this one, differently on every node. */
function renewalTime({ from, until }: Validity, random: () => number): Date {
  const life = until.getTime() - from.getTime();
  return new Date(from.getTime() + life * (0.7 + 0.2 * random()));
}

import type { RecoveryPolicy } from '@fenestra/platform';

/** Counts failures and tells how long to wait after each. */
export interface RecoveryCount {
  /** The wait in seconds after a failure at this time; `undefined` if the policy has no restarts. */
  afterFailure(policy: RecoveryPolicy, nowMs: number): number | undefined;
}

/** A count that begins anew once there was no failure for as long as the policy says. */
export function recoveryCount(): RecoveryCount {
  let failures = 0;
  let lastFailureMs = Number.NEGATIVE_INFINITY;
  return {
    afterFailure({ restartDelaysSeconds, resetAfterSeconds }, nowMs) {
      if (nowMs - lastFailureMs >= resetAfterSeconds * 1000) failures = 0;
      const delay = restartDelaysSeconds[Math.min(failures, restartDelaysSeconds.length - 1)];
      failures += 1;
      lastFailureMs = nowMs;
      return delay;
    },
  };
}

import type { HostFacts } from '@fenestra/platform';
import { type Check, fail, type Finding, pass, warn } from './check.ts';

/** Certificates are only as good as the clock they are judged by. */
export const clock: Check<{
  readonly host: Pick<HostFacts, 'clock' | 'os'>;
  /** When this program was made: a clock that is behind it is wrong. */
  readonly madeAt: Date;
  /** The comparison with the cloud's clock, where there was one. */
  readonly cloudClock?: Finding;
}> = {
  name: 'clock',
  about: 'the clock is right, agrees with that of the cloud, and is synchronized',
  judge({ host: { clock: found, os }, madeAt, cloudClock }) {
    const now = found.now.toISOString();
    const timeService =
      os === 'windows' ? 'the Windows Time service' : 'a time service such as systemd-timesyncd or chrony';
    if (found.now < madeAt)
      return fail(`The clock shows ${now}, which is before the build time of this program`, 'Set the clock.');
    if (cloudClock?.verdict === 'fail') return cloudClock;
    if (found.synchronized === false)
      return warn(`The clock shows ${now}, and is not synchronized`, `Start ${timeService}.`);
    if (found.synchronized === undefined)
      return warn(
        `The clock shows ${now}; whether it is synchronized is unknown`,
        `Make sure that ${timeService} runs.`,
      );
    return pass(`The clock shows ${now} and is synchronized`);
  },
};

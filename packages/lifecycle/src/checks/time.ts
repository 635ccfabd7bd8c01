import { fail, pass, warn } from '@fenestra/session';
import type { Check } from './check.ts';

/** Certificates are only as good as the clock they are judged by. */
export const time: Check = {
  name: 'time',
  judge({ host: { clock, os }, commitTime }) {
    const now = clock.now.toISOString();
    const timeService =
      os === 'windows' ? 'the Windows Time service' : 'a time service such as systemd-timesyncd or chrony';
    if (clock.now < commitTime)
      return fail(`The clock shows ${now}, which is before the build time of this program`, 'Set the clock.');
    if (clock.synchronized === false)
      return warn(`The clock shows ${now}, and is not synchronized`, `Start ${timeService}.`);
    if (clock.synchronized === undefined)
      return warn(
        `The clock shows ${now}; whether it is synchronized is unknown`,
        `Make sure that ${timeService} runs.`,
      );
    return pass(`The clock shows ${now} and is synchronized`);
  },
};

import { fail, pass, warn } from '@fenestra/session';
import type { Check } from '../check.ts';

/** Certificates are only as good as the clock they are judged by. */
export const clock: Check = {
  name: 'clock',
  judge({ host: { clock: found, os }, madeAt }) {
    const now = found.now.toISOString();
    if (found.now < madeAt)
      return fail(`The clock shows ${now}, which is before the build time of this program`, 'Set the clock.');
    if (found.synchronized === false) {
      const service = os === 'windows' ? 'the Windows Time service' : 'a time service such as chrony';
      return warn(`The clock shows ${now}, and is not synchronized`, `Start ${service}.`);
    }
    return pass(`The clock shows ${now}`);
  },
};

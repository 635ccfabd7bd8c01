import { fail, pass, warn } from '@fenestra/steps';
import type { Check } from '../check.ts';

/** Certificates are only as good as the clock they are judged by. */
export const clock: Check = {
  name: 'clock',
  judge({ host: { clock: found, os }, madeAt }) {
    const now = found.now.toISOString();
    if (found.now < madeAt)
      return fail(`The clock says ${now}, which is before this program was made`, 'Set the clock.');
    if (found.synchronized === false) {
      const service = os === 'windows' ? 'the Windows Time service' : 'a time service such as chrony';
      return warn(`The clock says ${now}, and nothing keeps it right`, `Start ${service}.`);
    }
    return pass(`The clock says ${now}`);
  },
};

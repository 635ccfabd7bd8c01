import { fail, pass, warn } from '@fenestra/session';
import type { ImageCheck } from '../check.ts';

/** Whether there is no secret that every machine made from the image would share. */
export const secrets: ImageCheck = {
  name: 'secrets',
  about: 'no secret is left that every machine made from the image would share',
  judge({ secrets: found }) {
    if (found.length === 0) return pass('No keys, tokens or passwords are left');
    const reasons = found.map(({ path, kinds }) => `"${path}" holds ${kinds.join(' and ')}`);
    return fail(reasons.join('; '), 'Delete what is named, and make what it opens useless: it may have been copied.');
  },
};

/** Whether nobody is logged in by the image itself. */
export const autoLogon: ImageCheck = {
  name: 'auto-logon',
  about: 'the image does not log anyone in automatically',
  judge({ autoLogon: values }) {
    if (values.length === 0) return pass('The image does not log anyone in automatically');
    return fail(`Winlogon has ${values.join(' and ')}`, 'Delete these values, and change the password.');
  },
};

/** Whether what the building needed is gone. */
export const leftovers: ImageCheck = {
  name: 'leftovers',
  about: 'nothing is left of the building of the image',
  judge({ leftovers: found }) {
    if (found.length === 0) return pass('Nothing of the building is left');
    return warn(`Left of the building: ${found.map((path) => `"${path}"`).join(', ')}`, 'Delete it.');
  },
};

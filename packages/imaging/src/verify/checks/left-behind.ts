import { fail, pass, warn } from '@fenestra/session';
import type { ImageCheck } from '../image-state.ts';

export const secrets: ImageCheck = {
  name: 'secrets',
  about: 'no secret is left that every machine made from the image would share',
  judge({ secrets: found }) {
    if (found.length === 0) return pass('No keys, tokens or passwords are left');
    const reasons = found.map(({ path, kinds }) => `"${path}" holds ${kinds.join(' and ')}`);
    return fail(reasons.join('; '), 'Delete what is named, and make what it opens useless: it may have been copied.');
  },
};

export const autoLogon: ImageCheck = {
  name: 'auto-logon',
  about: 'the image does not log anyone in automatically',
  judge({ autoLogon: values }) {
    if (values.length === 0) return pass('The image does not log anyone in automatically');
    return fail(`Winlogon has ${values.join(' and ')}`, 'Delete these values, and change the password.');
  },
};

export const leftovers: ImageCheck = {
  name: 'leftovers',
  about: 'nothing is left of the building of the image',
  judge({ leftovers: found }) {
    if (found.length === 0) return pass('Nothing of the building is left');
    return warn(`Left of the building: ${found.map((path) => `"${path}"`).join(', ')}`, 'Delete it.');
  },
};

export const remoteAccess: ImageCheck = {
  name: 'remote-access',
  about: 'no remote access of the build starts with the machine',
  judge({ remoteServices }) {
    const open = remoteServices.filter(({ startType }) => startType?.startsWith('automatic') === true);
    if (open.length === 0) return pass('No service that lets people in starts with the machine');
    const names = open.map(({ name }) => `"${name}"`).join(' and ');
    return fail(
      `${names} would start with every machine made from the image, and admit anyone who knows the password of the build`,
      `Disable it: sc.exe config ${open[0]?.name ?? ''} start= disabled. It keeps running until the machine stops.`,
    );
  },
};

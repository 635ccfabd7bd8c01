import { fail, pass } from '@fenestra/session';
import type { ImageCheck } from '../check.ts';

/** Whether the way in that the builder had is shut from the first start on, before anything can change its password. */
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

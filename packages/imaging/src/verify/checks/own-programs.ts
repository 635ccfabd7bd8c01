import { fail, pass } from '@fenestra/session';
import { PROVISION_AGAIN, type ImageCheck } from '../check.ts';

/** Whether keadm, and the agent of an edge node, are in their places. */
export const ownPrograms: ImageCheck = {
  name: 'keadm',
  about: 'keadm, and the agent of an edge node, are in their places',
  judge({ facts: { copies } }) {
    const wrong = copies.filter(({ sha256, installedSha256 }) => sha256 !== installedSha256);
    if (wrong.length === 0) return pass(`In place: ${copies.map(({ to }) => `"${to}"`).join(', ')}`);
    return fail(`Not this keadm's: ${wrong.map(({ to }) => `"${to}"`).join(', ')}`, PROVISION_AGAIN);
  },
};

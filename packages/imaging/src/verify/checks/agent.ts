import { fail, pass } from '@fenestra/steps';
import { PROVISION_AGAIN, type ImageCheck } from '../check.ts';

/** Whether an edge node's agent is in its place. */
export const agent: ImageCheck = {
  name: 'agent',
  judge({ facts: { agent: wanted } }) {
    if (wanted === undefined) return pass('A worker has no agent');
    if (wanted.installedSha256 === wanted.sha256) return pass(`The agent is at "${wanted.to}"`);
    return fail(`The agent at "${wanted.to}" is not this keadm's`, PROVISION_AGAIN);
  },
};

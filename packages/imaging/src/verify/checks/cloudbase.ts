import { fail, pass } from '@fenestra/session';
import { namesHostFirst } from '../../provision/cloudbase.ts';
import { type ImageCheck, PROVISION_AGAIN } from '../check.ts';

/** Whether cloudbase-init is installed and told what it must be told, and waits until Windows is set up. */
export const cloudbase: ImageCheck = {
  name: 'cloudbase-init',
  about: 'cloudbase-init is installed, configured, and waits until Windows is set up',
  judge({ cloudbase: { spec, status }, cloudbaseConf, facts, config }) {
    if (spec === undefined || !facts.cloudbaseInPlace) return fail('cloudbase-init is not installed', PROVISION_AGAIN);
    if (cloudbaseConf === undefined || !namesHostFirst(cloudbaseConf))
      return fail('cloudbase-init processes user-data before it sets the host name', PROVISION_AGAIN);
    const changed = facts.cloudbaseTexts.filter(({ isCurrent }) => !isCurrent).map(({ path }) => `"${path}"`);
    if (changed.length > 0) return fail(`Not as written: ${changed.join(', ')}`, PROVISION_AGAIN);
    if (spec.startType !== 'manual')
      return fail(`cloudbase-init starts ${spec.startType}, in the middle of the first set-up`, PROVISION_AGAIN);
    if (status.state === 'running') return fail('cloudbase-init runs while the image is made', 'Stop it.');
    return pass(
      `cloudbase-init ${config.cloudbaseInit.version}, which sets the host name before it processes user-data`,
    );
  },
};

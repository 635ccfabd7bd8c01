import { judgeSkew } from '../../version/skew.ts';
import { OperatorError } from '@fenestra/kernel';
import { pass, skip } from '@fenestra/session';
import { failedBy, type Check } from '../check.ts';

/** Whether this kubelet and this cluster may work together. */
export const kubeletVersion: Check = {
  name: 'kubelet-version',
  judge({ cluster, kubeletVersion: kubelet }) {
    if (cluster === undefined || kubelet === undefined)
      return skip('The two versions are not known', 'Fix the failed checks above first.');
    const { version: apiServer } = cluster;
    const verdict = judgeSkew({ kubelet, apiServer });
    if (verdict.state === 'fits') return pass(`kubelet ${kubelet} fits API server ${apiServer}`);
    return failedBy(
      new OperatorError('VERSION_SKEW', `Cannot use this kubelet with this cluster: ${verdict.reason}`, {
        hint: `Use a kubelet of version ${apiServer}, which always fits.`,
        details: { kubelet, apiServer },
      }),
    );
  },
};

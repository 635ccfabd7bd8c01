import { judgeSkew } from '../../version/skew.ts';
import { OperatorError } from '@fenestra/kernel';
import { type Check, failedBy, pass, skip } from '@fenestra/session';
import type { PreflightFacts } from '../preflight-facts.ts';

/** Whether this kubelet and this cluster may work together. */
export const kubeletVersion: Check<Pick<PreflightFacts, 'cluster' | 'kubeletVersion'>> = {
  name: 'kubelet-version',
  about: 'the kubelet and the API server may work together',
  judge({ cluster, kubeletVersion: kubelet }) {
    if (cluster === undefined || kubelet === undefined) return skip('The two versions are not known');
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

import { OperatorError } from '@fenestra/kernel';
import type { WorkerHostFacts } from '@fenestra/platform';
import { type Check, fail, failedBy, pass, skip, warn } from '@fenestra/session';
import { judgeSkew } from '../version-traits.ts';
import type { PreflightFacts } from './gather-preflight.ts';

const USUAL_DRIVE = 'C:';

/** Which drive everything goes to, wherever this program runs from. */
export const drives: Check<{ readonly worker: WorkerHostFacts }> = {
  name: 'drives',
  about: 'which drive everything is installed on (Windows)',
  judge({ worker }) {
    if (worker.os === 'linux') return pass('There are no drives');
    const { systemDrive, programDrive } = worker;
    const elsewhere = programDrive === systemDrive ? '' : `, although this program runs from ${programDrive}`;
    const found = `Everything goes to ${systemDrive}${elsewhere}`;
    if (systemDrive.toUpperCase() === USUAL_DRIVE) return pass(found);
    return warn(found, `Network plugins and scripts often take ${USUAL_DRIVE} for granted.`);
  },
};

/** Whether this kubelet and this cluster may work together. */
export const kubeletSkew: Check<Pick<PreflightFacts, 'cluster' | 'kubeletVersion'>> = {
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

/** Whether Windows can make networks for containers: the Host Networking Service. */
export const networkService: Check<{ readonly worker: WorkerHostFacts }> = {
  name: 'network-service',
  about: 'the Host Networking Service exists (Windows)',
  judge({ worker }) {
    if (worker.os === 'linux') return pass('Networks of containers belong to the plugins');
    const { networkService: state } = worker;
    if (state === 'absent')
      return fail(
        'There is no Host Networking Service',
        'Enable the Containers feature, which installs this service, then restart the machine.',
      );
    // It starts by itself as soon as a network is requested.
    return pass(`The Host Networking Service is ${state}`);
  },
};

/** Whether the kubelet and the programs it calls are there. */
export const programs: Check<{ readonly worker: WorkerHostFacts; readonly kubeletVersion: string | undefined }> = {
  name: 'programs',
  about: 'there is a kubelet, and the programs it calls',
  judge({ worker, kubeletVersion }) {
    if (kubeletVersion === undefined)
      return fail(
        'There is no kubelet',
        'Run "keadm kube prepare --version V --from SOURCE" first, or give both options to this command.',
      );
    if (worker.os === 'windows' || worker.missingPrograms.length === 0)
      return pass(`kubelet ${kubeletVersion} and the programs it calls`);
    return fail(
      `A kubelet calls ${worker.missingPrograms.join(', ')}, which cannot be found`,
      'Install the packages that hold them, such as "mount" and "util-linux".',
    );
  },
};

/** Whether the kubelet's service is ours to make and change. */
export const service: Check<Pick<PreflightFacts, 'foreignService' | 'service'>> = {
  name: 'service',
  about: 'the service "kubelet" belongs to keadm, or does not exist',
  binding: true,
  judge({ foreignService, service: { state } }) {
    if (foreignService !== undefined) return failedBy(foreignService);
    return pass(state === 'absent' ? 'There is no kubelet service yet' : `The kubelet's service is ours, and ${state}`);
  },
};

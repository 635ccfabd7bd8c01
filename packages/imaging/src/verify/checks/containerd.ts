import { compareVersions } from '@fenestra/contracts';
import { fail, pass } from '@fenestra/session';
import { PROVISION_AGAIN, type ImageCheck } from '../check.ts';

/** Whether containerd is installed as wanted, and starts with the machine. */
export const containerd: ImageCheck = {
  name: 'containerd',
  about: 'containerd is installed as the file describes, and starts with the machine',
  judge({ facts, config }) {
    const missing = [
      ...(facts.containerdInPlace ? [] : ['its programs']),
      ...(facts.containerdConfig.isCurrent ? [] : ['its configuration']),
      ...(facts.containerdService.isRegistered ? [] : ['its service']),
    ];
    if (missing.length === 0) return pass(`containerd ${config.containerd.version}, which starts with the machine`);
    return fail(`Differs in containerd: ${missing.join(', ')}`, PROVISION_AGAIN);
  },
};

/** Whether it is of the version that its configuration is written for, whatever its archive was called. */
export const containerdVersion: ImageCheck = {
  name: 'containerd-version',
  about: 'containerd has the version that its configuration is written for',
  judge({ containerdVersion: found, config }) {
    const wanted = config.containerd.version;
    if (found !== undefined && compareVersions(found, wanted) === 0) return pass(`containerd reports version ${found}`);
    return fail(
      `containerd ${found === undefined ? 'does not report its version' : `reports version ${found}`}, but should be ${wanted}`,
      'Give the version, the address and the checksum of the same release.',
    );
  },
};

/** Whether it runs. */
export const runtime: ImageCheck = {
  name: 'container-runtime',
  about: 'the container runtime answers and can run pods',
  judge({ containerd: { status } }) {
    if (status.state === 'running') return pass('containerd runs');
    return fail(`containerd is ${status.state}`, 'Restart the machine, which the feature "Containers" needs anyway.');
  },
};

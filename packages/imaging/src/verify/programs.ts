import { win32 } from 'node:path';
import { compareVersions } from '@fenestra/contracts';
import { fail, type Finding, pass } from '@fenestra/session';
import { namesHostFirst } from '../provision/cloudbase.ts';
import { CONTAINERD_SERVICE } from '../provision/containerd.ts';
import { type ImageCheck, type ImageState, PROVISION_AGAIN } from './image-state.ts';

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

export const runtime: ImageCheck = {
  name: 'container-runtime',
  about: 'the container runtime answers and can run pods',
  judge({ containerd: { status } }) {
    if (status.state === 'running') return pass('containerd runs');
    return fail(`containerd is ${status.state}`, 'Restart the machine, which the feature "Containers" needs anyway.');
  },
};

export const kubernetes: ImageCheck = {
  name: 'kubernetes',
  about: 'the programs of a worker are the expected ones, and the kubelet service reads kubeadm-flags.env',
  judge(state) {
    if (state.config.role !== 'worker') return pass('An edge node has no kubelet');
    const wrong = state.programs.filter(({ sha256, wantedSha256 }) => sha256 !== wantedSha256);
    if (wrong.length > 0)
      return fail(`Not the expected programs: ${wrong.map(({ path }) => path).join(', ')}`, PROVISION_AGAIN);
    return judgeService(state);
  },
};

function judgeService({ kubelet: { spec }, worker, config }: ImageState): Finding {
  if (spec === undefined) return fail('There is no kubelet service', PROVISION_AGAIN);
  if (!isSame(spec.executable, worker.hostExecutable))
    return fail(`The kubelet's service runs "${spec.executable}", which ignores "kubeadm-flags.env"`, PROVISION_AGAIN);
  if (spec.startType !== 'automatic') return fail(`The kubelet's service starts ${spec.startType}`, PROVISION_AGAIN);
  if (!spec.dependencies.some((name) => isSame(name, CONTAINERD_SERVICE)))
    return fail("The kubelet's service does not wait for containerd", PROVISION_AGAIN);
  return pass(`Kubernetes ${config.kubernetes?.version ?? ''}, and a kubelet that starts with the machine`);
}

function isSame(one: string, other: string): boolean {
  return win32.normalize(one).toLowerCase() === win32.normalize(other).toLowerCase();
}

export const ownPrograms: ImageCheck = {
  name: 'keadm',
  about: 'keadm, and the agent of an edge node, are installed',
  judge({ facts: { copies } }) {
    const wrong = copies.filter(({ sha256, installedSha256 }) => sha256 !== installedSha256);
    if (wrong.length === 0) return pass(`In place: ${copies.map(({ to }) => `"${to}"`).join(', ')}`);
    return fail(`Not this keadm's: ${wrong.map(({ to }) => `"${to}"`).join(', ')}`, PROVISION_AGAIN);
  },
};

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
      return fail(`cloudbase-init starts ${spec.startType}, during the first set-up`, PROVISION_AGAIN);
    if (status.state === 'running') return fail('cloudbase-init runs while the image is made', 'Stop it.');
    return pass(
      `cloudbase-init ${config.cloudbaseInit.version}, which sets the host name before it processes user-data`,
    );
  },
};

import { win32 } from 'node:path';
import { fail, type Finding, pass } from '@fenestra/session';
import { CONTAINERD_SERVICE } from '../../provision/containerd.ts';
import { type ImageCheck, PROVISION_AGAIN } from '../check.ts';
import type { ImageState } from '../image-state.ts';

/** Whether a worker's programs are the wanted ones, and its kubelet's service is the one that heeds `kubeadm-flags.env`. */
export const kubernetes: ImageCheck = {
  name: 'kubernetes',
  about: 'the programs of a worker are the expected ones, and the kubelet service reads kubeadm-flags.env',
  judge(state) {
    if (state.config.role !== 'worker') return pass('An edge node has no kubelet');
    const wrong = state.programs.filter(({ sha256, wantedSha256 }) => sha256 !== wantedSha256);
    if (wrong.length > 0)
      return fail(`Not the expected ones: ${wrong.map(({ path }) => path).join(', ')}`, PROVISION_AGAIN);
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

import { askProgram, cannotTell } from '../ask-program.ts';
import type { ProgramName } from './program-source.ts';

/** How each program is asked for its version; kubeadm has no flag for it. */
const QUESTIONS: Readonly<Record<ProgramName, readonly string[]>> = {
  kubelet: ['--version'],
  'kube-proxy': ['--version'],
  kubeadm: ['version', '-o', 'short'],
};

/** `Kubernetes v1.33.1`, or kubeadm's bare `v1.33.1`. */
const ANSWER = /^(?:Kubernetes )?(v\d+\.\d+\.\d+\S*)/;

/** Asks a program of Kubernetes for its version by running it. Only for one whose bytes are proved. */
export async function programVersion(name: ProgramName, path: string, signal: AbortSignal): Promise<string> {
  const answer = await askProgram({ path, args: QUESTIONS[name], calledAs: name }, signal);
  const [, version] = ANSWER.exec(answer.trim()) ?? [];
  if (version === undefined) throw cannotTell(path, 'it does not report its Kubernetes version');
  return version;
}

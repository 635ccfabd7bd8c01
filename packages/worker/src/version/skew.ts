import { parseKubernetesVersion } from '@fenestra/contracts/kube';

/** Whether a kubelet may work with an API server, and if not, why. */
export type SkewVerdict =
  | { readonly state: 'fits' }
  | { readonly state: 'too-new' | 'too-old'; readonly reason: string };

/**
 * Judges a kubelet's version against the API server's: never newer, and at most three minor versions older (two before
 * 1.25). Patches do not matter. See https://kubernetes.io/releases/version-skew-policy/.
 */
export function judgeSkew({
  kubelet,
  apiServer,
}: {
  readonly kubelet: string;
  readonly apiServer: string;
}): SkewVerdict {
  const [ours, theirs] = [parseKubernetesVersion(kubelet), parseKubernetesVersion(apiServer)];
  const behind = ours.major === theirs.major ? theirs.minor - ours.minor : (theirs.major - ours.major) * ANOTHER_MAJOR;
  if (behind < 0) return { state: 'too-new', reason: `kubelet ${ours.text} is newer than API server ${theirs.text}` };
  const most = ours.major === 1 && ours.minor < 25 ? 2 : 3;
  if (behind <= most) return { state: 'fits' };
  const reason = `kubelet ${ours.text} is more than ${most} minor versions older than API server ${theirs.text}`;
  return { state: 'too-old', reason };
}

/** More than any skew that is allowed. */
const ANOTHER_MAJOR = 1000;

import { OperatorError } from '@fenestra/kernel';
import { isVersion, versionTag } from '../version.ts';

/** A version of Kubernetes taken apart. */
interface KubernetesVersion {
  /** With the leading `v`, as Kubernetes writes it: `v1.33.1`. */
  readonly text: string;
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

/** Takes a version apart, with or without its `v`: `1.33.1`, `v1.34.0-rc.1`. Throws `CONFIG_INVALID` for anything else. */
export function parseKubernetesVersion(text: string): KubernetesVersion {
  const written = text.trim();
  if (!isVersion(written)) throw notAVersion(written);
  const [major = 0, minor = 0, patch = 0] = (/\d+\.\d+\.\d+/.exec(written)?.[0] ?? '').split('.').map(Number);
  return { text: versionTag(written), major, minor, patch };
}

/** Whether a version is of this minor release of Kubernetes 1 or a later one; its pre-releases count as the release. */
export function isAtLeast(version: string, minor: number): boolean {
  const parsed = parseKubernetesVersion(version);
  return parsed.major > 1 || (parsed.major === 1 && parsed.minor >= minor);
}

function notAVersion(written: string): OperatorError {
  return new OperatorError('CONFIG_INVALID', `Cannot read the Kubernetes version ${JSON.stringify(written)}`, {
    hint: 'Give a full version, such as "v1.33.1".',
  });
}

/** The pause image of each minor version, newest first: it counts from that version on. */
const TAGS: readonly (readonly [number, string])[] = [
  [36, '3.10.2'],
  [34, '3.10.1'],
  [31, '3.10'],
  [26, '3.9'],
  [25, '3.8'],
  [24, '3.7'],
  [23, '3.6'],
  [22, '3.5'],
  [21, '3.4.1'],
];

const OLDEST_TAG = '3.2';

/** The image that holds a pod's namespaces, as kubeadm of this version names it. */
export function pauseImage(version: string, repository: string): string {
  const [, tag] = TAGS.find(([minor]) => isAtLeast(version, minor)) ?? [0, OLDEST_TAG];
  return `${repository.replace(/\/+$/, '')}/pause:${tag}`;
}

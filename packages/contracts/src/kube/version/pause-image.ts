import { isAtLeast } from './kubernetes-version.ts';

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

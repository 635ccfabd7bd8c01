import type { Phase } from '@fenestra/kernel';
import type { Unmount } from '@fenestra/steps';
import type { KubeResetFacts } from '../reset-facts.ts';

/** What pods had mounted stays mounted when they are gone, and nothing is deleted through a mount. */
export const unmountVolumes: Phase<KubeResetFacts> = {
  id: 'unmount-volumes',
  title: "Unmount the pods' volumes",
  plan: ({ volumes }) => volumes.map((path): Unmount => ({ kind: 'unmount', path, pointOfNoReturn: true })),
};

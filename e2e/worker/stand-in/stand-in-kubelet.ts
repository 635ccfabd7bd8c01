import { join } from 'node:path';
import { CHECKOUT, RUNTIME } from '../../beds/checkout.ts';

/** How a stand-in carries on: as it should, ends at once, or never tells the cluster that it is there. */
export type KubeletBehaviour = 'good' | 'crash' | 'mute';

const PROGRAM = join(CHECKOUT, 'e2e', 'worker', 'stand-in', 'kubelet.ts');

/** The text of an executable that is such a kubelet on any Linux node of ours: each can read this checkout. */
export function standInKubelet(version: string, behaviour: KubeletBehaviour): string {
  return `#!/bin/sh\nexec ${RUNTIME.nodeLinux} ${PROGRAM} ${version} ${behaviour} "$@"\n`;
}

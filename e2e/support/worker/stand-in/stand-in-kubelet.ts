import { join } from 'node:path';
import { CHECKOUT, RUNTIME } from '../../beds/checkout.ts';
import { launcher } from './launcher.ts';

/** How a stand-in carries on: as it should, ends at once, or never tells the cluster that it is there. */
export const BEHAVIOURS = ['good', 'crash', 'mute'] as const;
export type KubeletBehaviour = (typeof BEHAVIOURS)[number];

const PROGRAM = join(CHECKOUT, 'e2e', 'support', 'worker', 'stand-in', 'kubelet-main.ts');

/** The bytes of a program that is such a kubelet on any Linux node of ours: each can read this checkout. */
export function standInKubelet(version: string, behaviour: KubeletBehaviour): Buffer {
  return launcher(RUNTIME.nodeLinux, [PROGRAM, version, behaviour]);
}

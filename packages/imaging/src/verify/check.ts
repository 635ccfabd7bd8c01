import type { Finding } from '@fenestra/session';
import type { ImageState } from './image-state.ts';

/** One thing that must be true of an image. It judges what was found, and looks at nothing itself. */
export interface ImageCheck {
  readonly name: string;
  judge(state: ImageState): Finding;
}

/** What to do about most of what can be wrong. */
export const PROVISION_AGAIN = 'Run "keadm image provision" again, and see what changes it afterwards.';

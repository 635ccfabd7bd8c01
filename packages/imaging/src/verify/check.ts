import type { Check } from '@fenestra/session';
import type { ImageState } from './image-state.ts';

/** One property that an image must have, judged by what was found. */
export type ImageCheck = Check<ImageState>;

/** What to do about most of what can be wrong. */
export const PROVISION_AGAIN = 'Run "keadm image provision" again, and see what changes it afterwards.';

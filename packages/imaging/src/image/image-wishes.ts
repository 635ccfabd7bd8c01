import type { ImagePlatform, ImageRole, ImageSystem } from './config/schema.ts';
import { OperatorError } from '@fenestra/kernel';

/** How the builder talks to the machine. */
export const COMMUNICATORS = ['winrm', 'ssh'] as const;
export type Communicator = (typeof COMMUNICATORS)[number];

/** Which image a project is for. */
export interface ImageWishes {
  readonly system: ImageSystem;
  readonly platform: ImagePlatform;
  readonly role: ImageRole;
  readonly communicator: Communicator;
}

/** Throws `USAGE` for what does not go together. */
export function requirePossible({ platform, communicator }: ImageWishes): void {
  if (platform !== 'azure' || communicator !== 'ssh') return;
  throw new OperatorError('USAGE', 'Cannot use "ssh" for Azure: its machines start with WinRM alone', {
    hint: 'Leave "--communicator" out.',
  });
}

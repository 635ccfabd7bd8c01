import { arch } from 'node:os';
import { join } from 'node:path';
import { TARGETS, type Target } from '../build/targets.ts';

/** The target that runs on this machine. */
export function hostTarget(): Target {
  const target = TARGETS.find(({ name }) => name === `linux-${arch()}`);
  if (target === undefined) throw new Error(`There is no executable for Linux on ${arch()}`);
  return target;
}

/** Our executable for this machine, as `npm run build` left it. */
export function ourExecutable(): string {
  const { name, executable } = hostTarget();
  return join(import.meta.dirname, '..', 'dist', name, executable);
}

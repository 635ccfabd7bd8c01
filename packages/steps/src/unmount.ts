import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { defineStep, OperatorError, type StepHandler } from '@fenestra/kernel';
import * as z from 'zod/mini';
import { mountPointsBelow } from './mount-points.ts';
import type { StepPorts } from './ports.ts';

const LIMIT_MS = 30_000;

const Unmount = z.object({ kind: z.literal('unmount'), path: z.string(), pointOfNoReturn: z.literal(true) });
export type Unmount = z.infer<typeof Unmount>;

/** Unmounts what a pod's volume was mounted as. What is on the mounted disk stays as it is. */
export const unmount: StepHandler<StepPorts> = defineStep({
  kind: 'unmount',
  step: Unmount,
  before: z.null(),
  describe: ({ path }) => `Unmount "${path}"`,
  prepare: async () => null,
  apply: async ({ path }) => unmountPath(path),
  revert: async () => {
    throw new Error('An unmounted volume is not mounted again, and the executor never asks for it');
  },
});

/** Unmounts what is mounted at a path; nothing is fine. */
export async function unmountPath(path: string): Promise<void> {
  if (!(await mountPointsBelow(path)).includes(path)) return;
  await promisify(execFile)('umount', ['--', path], { timeout: LIMIT_MS }).catch((cause: unknown) => {
    throw new OperatorError('COMMAND_FAILED', `Cannot unmount "${path}"`, {
      hint: 'End the program that uses it, then run "keadm recover": it goes on from here.',
      cause,
    });
  });
}

import { dirname } from 'node:path';
import { OperatorError, type Step } from '@fenestra/kernel';
import * as z from 'zod/mini';
import { defineStep } from './define-step.ts';
import { previousVersion } from './previous-version.ts';

/** Deletes what nobody needs any more. If somebody holds it, it stays: that is no reason to call the work unfinished. */
export const discardPath = defineStep({
  kind: 'discard-path',
  pointOfNoReturn: true,
  data: z.object({
    path: z.string(),
    root: z.string(),
  }),
  describe: ({ path }) => `Delete "${path}", which is not needed any more`,
  async apply({ path, root }, _before, { ports, say }, signal) {
    await ports.files.removeTree(path, root, signal).catch((error: unknown) => {
      if (!(error instanceof OperatorError)) throw error;
      say(`"${path}" stays for now: ${error.message}`);
    });
  },
});

/** The step that discards one file or folder. */
export function discard(path: string): Step {
  return discardPath({ path, root: dirname(path) });
}

/** The step that discards what was kept of a replaced file; none where nothing was replaced. */
export function discardPrevious(path: string, digest: string | undefined): readonly Step[] {
  return digest === undefined ? [] : [discard(previousVersion(path, digest))];
}

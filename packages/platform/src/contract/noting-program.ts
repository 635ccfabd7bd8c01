import { appendFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceProgram } from '../service-program.ts';
import type { ProgramBehaviour } from './beds.ts';

/** How long the `slow-start` and `slow-stop` behaviours take. */
const SLOW_MS = 2_000;

/**
 * A program that appends to `noteFile` what happens to it: `argument <JSON>` for each further argument of its
 * command line, then `started`, `reloaded` and `stopped`. A bed hosts it through the platform's real `ServiceHost`.
 */
export function notingProgram(
  noteFile: string,
  behaviour: ProgramBehaviour,
  furtherArguments: readonly string[] = [],
): ServiceProgram {
  const note = (...lines: readonly string[]): Promise<void> => appendFile(noteFile, `${lines.join('\n')}\n`);
  return {
    async start() {
      if (behaviour === 'fail-at-start') throw new Error('asked to fail at start');
      if (behaviour === 'slow-start') await sleep(SLOW_MS);
      await note(...furtherArguments.map((argument) => `argument ${JSON.stringify(argument)}`), 'started');
    },
    async reload() {
      await note('reloaded');
      if (behaviour === 'crash-on-reload') crashSoon();
    },
    async stop() {
      if (behaviour === 'slow-stop') await sleep(SLOW_MS);
      await note('stopped');
    },
  };
}

/** Outside any promise of the host's, so that nothing but the process's own last resort can see the error. */
function crashSoon(): void {
  setImmediate(() => {
    throw new Error('asked to crash');
  });
}

import { getBuiltinModule, stderr, stdin } from 'node:process';
import type { Terminal } from '@fenestra/keadm';

const STDIN = 0;
const STDERR = 2;

/**
 * How to ask the operator, if there is one: somebody who sees standard error and types at standard input. What this takes
 * is loaded only now, because most commands never ask.
 */
export function operatorQuestion(): Terminal['ask'] {
  const { isatty } = getBuiltinModule('node:tty');
  if (!isatty(STDIN) || !isatty(STDERR)) return undefined;
  return async (question, signal) => {
    const lines = getBuiltinModule('node:readline/promises').createInterface({ input: stdin, output: stderr });
    try {
      return await lines.question(question, { signal });
    } finally {
      lines.close();
    }
  };
}

import { once } from 'node:events';
import { getBuiltinModule, stderr, stdin } from 'node:process';
import type { Terminal } from '@fenestra/keadm';
import { terminalText } from '@fenestra/platform/terminal-text';

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
    // Whoever types Ctrl-C or Ctrl-D closes the lines, and has answered nothing.
    const closed = once(lines, 'close').then(() => '');
    try {
      return await Promise.race([lines.question(terminalText(question), { signal }), closed]);
    } finally {
      lines.close();
    }
  };
}

import { getBuiltinModule, stderr } from 'node:process';
import type { Terminal } from '@fenestra/keadm';

const STDERR = 2;
/** What a terminal that does not say how large it is has at least. */
const SMALLEST = { columns: 80, rows: 24 };

/** The terminal that standard error is shown on, if it is one that can be drawn on. */
export function operatorScreen(draw: (text: string) => void): Terminal['screen'] {
  if (!getBuiltinModule('node:tty').isatty(STDERR) || process.env['TERM'] === 'dumb') return undefined;
  return {
    draw,
    size() {
      const { columns, rows } = stderr;
      return columns > 0 && rows > 0 ? { columns, rows } : SMALLEST;
    },
    colours: (process.env['NO_COLOR'] ?? '') === '',
  };
}

import { writeSync } from 'node:fs';
import { once } from 'node:events';
import { getBuiltinModule, stderr, stdin } from 'node:process';
import type { Terminal } from '@fenestra/keadm';
import { terminalText } from '@fenestra/platform/terminal-text';
import { OperatorError } from '@fenestra/kernel/errors';

const STDOUT = 1;
const STDERR = 2;
const LONGEST_PAUSE_MS = 50;

/** The standard streams. Some installers start programs with none that works, which must not stop the work itself. */
export function standardTerminal(): Terminal {
  let outClosed = false;
  return {
    out(text) {
      outClosed = !write(STDOUT, terminalText(text));
    },
    err: (text) => void write(STDERR, terminalText(text)),
    get outClosed() {
      return outClosed;
    },
    get screen() {
      return operatorScreen((text) => void write(STDERR, text));
    },
    get ask() {
      return operatorQuestion();
    },
  };
}

/** Whether all of it was written. */
function write(stream: number, text: string): boolean {
  const bytes = Buffer.from(text);
  let written = 0;
  let pauseMs = 1;
  while (written < bytes.length) {
    try {
      written += writeSync(stream, bytes, written);
      pauseMs = 1;
    } catch (error) {
      if (!isFullPipe(error)) return false;
      sleepSync(pauseMs);
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    }
  }
  return true;
}

/** Blocks without using the processor. */
function sleepSync(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** A reader that is slow, as opposed to one that is gone. */
function isFullPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN';
}

const STDIN = 0;

/**
 * How to ask the operator, if there is one: someone who sees standard error and types at standard input. What this takes
 * is loaded only now, because most commands never ask.
 */
function operatorQuestion(): Terminal['ask'] {
  const { isatty } = getBuiltinModule('node:tty');
  if (!isatty(STDIN) || !isatty(STDERR)) return undefined;
  return async (question, signal) => {
    const lines = getBuiltinModule('node:readline/promises').createInterface({ input: stdin, output: stderr });
    // Anyone who types Ctrl-C or Ctrl-D closes the lines, and has answered nothing.
    const closed = once(lines, 'close').then(() => '');
    try {
      return await Promise.race([lines.question(terminalText(question), { signal }), closed]);
    } finally {
      lines.close();
    }
  };
}

/** What a terminal that does not say how large it is has at least. */
const SMALLEST = { columns: 80, rows: 24 };

/** The terminal that standard error is shown on, if it is one that can be drawn on. */
function operatorScreen(draw: (text: string) => void): Terminal['screen'] {
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

/** Runs a role that has no separate command line to report errors in; returns its exit code. */
export async function orReport(role: () => Promise<number>): Promise<number> {
  try {
    return await role();
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    standardTerminal().err(`Error: ${error.message}\nHint: ${error.hint}\n`);
    return error.exitCode;
  }
}

import { writeSync } from 'node:fs';
import type { Terminal } from '@fenestra/keadm';
import { terminalText } from '@fenestra/platform/terminal-text';
import { operatorQuestion } from './ask.ts';
import { operatorScreen } from './screen.ts';

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

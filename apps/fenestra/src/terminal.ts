import { writeSync } from 'node:fs';
import type { Terminal } from '@fenestra/keadm';
import { operatorQuestion } from './ask.ts';
import { operatorScreen } from './screen.ts';

const STDOUT = 1;
const STDERR = 2;

/** The standard streams. Some installers start programs with none that works, which must not stop the work itself. */
export function standardTerminal(): Terminal {
  let outClosed = false;
  return {
    out(text) {
      outClosed = !write(STDOUT, text);
    },
    err: (text) => void write(STDERR, text),
    get outClosed() {
      return outClosed;
    },
    get screen() {
      return operatorScreen();
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
  while (written < bytes.length) {
    try {
      written += writeSync(stream, bytes, written);
    } catch (error) {
      if (!isFullPipe(error)) return false;
    }
  }
  return true;
}

/** A reader that is slow, as opposed to one that is gone. */
function isFullPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN';
}

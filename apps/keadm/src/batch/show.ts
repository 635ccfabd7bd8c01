import type { BatchEvent } from '@fenestra/fleet';
import { livePicture, type Show } from '../batch-view/live-picture.ts';
import { plainLines } from '../batch-view/plain-lines.ts';
import type { OutputFormat } from '../cli/result.ts';
import type { KeadmEnvironment } from '../platform.ts';

/** How a run is shown while it goes on: events for programs, a picture on a terminal, else a line for each event. */
export function showOf({ terminal, now }: KeadmEnvironment, output: OutputFormat): Show {
  if (output === 'json') return lineByLine(JSON.stringify, terminal.out);
  const { screen } = terminal;
  if (screen !== undefined) return livePicture({ ...screen, write: screen.draw }, now);
  return lineByLine(plainLines(), terminal.err);
}

/** What many nodes say in the same moment is written in one go, for anyone who reads it wakes up each time. */
function lineByLine(lineOf: (event: BatchEvent) => string | undefined, write: (text: string) => void): Show {
  let waiting = '';
  const writeAll = (): void => {
    if (waiting !== '') write(waiting);
    waiting = '';
  };
  return {
    add(event) {
      const line = lineOf(event);
      if (line === undefined) return;
      if (waiting === '') setImmediate(writeAll);
      waiting += `${line}\n`;
    },
    plan: () => {},
    end: writeAll,
  };
}

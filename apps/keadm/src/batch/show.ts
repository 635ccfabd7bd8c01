import type { BatchEvent } from '@fenestra/contracts';
import { livePicture, type Show } from '../batch-view/live-picture.ts';
import { plainLines } from '../batch-view/plain-lines.ts';
import type { KeadmEnvironment } from '../platform.ts';

/** How a run is shown while it goes on: events for programs, a picture on a terminal, else a line for each event. */
export function showOf({ terminal, now }: KeadmEnvironment, output: 'text' | 'json'): Show {
  if (output === 'json') {
    const add = (event: BatchEvent): void => terminal.out(`${JSON.stringify(event)}\n`);
    return { add, plan: () => {}, end: () => {} };
  }
  const { screen } = terminal;
  if (screen !== undefined) return livePicture({ ...screen, write: terminal.err }, now);
  const lineOf = plainLines();
  return {
    add(event) {
      const line = lineOf(event);
      if (line !== undefined) terminal.err(`${line}\n`);
    },
    plan: () => {},
    end: () => {},
  };
}

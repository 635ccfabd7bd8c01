import { expect, test } from 'vitest';
import { printLines } from './logs.command.ts';

async function* endless(ended: () => void): AsyncGenerator<string> {
  try {
    for (let line = 1; ; line += 1) yield `line ${line}`;
  } finally {
    ended();
  }
}

test('a log that never ends is released once no one reads it', async () => {
  const written: string[] = [];
  let ended = false;
  const terminal = {
    out: (text: string) => void written.push(text),
    get outClosed() {
      return written.length === 3;
    },
  };
  await printLines(
    terminal,
    endless(() => (ended = true)),
    (line) => line.toUpperCase(),
  );
  expect(written).toEqual(['LINE 1\n', 'LINE 2\n', 'LINE 3\n']);
  expect(ended).toBe(true);
});

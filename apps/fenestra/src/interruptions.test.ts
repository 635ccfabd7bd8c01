import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';

const MODULE = join(import.meta.dirname, 'interruptions.ts');

/** Reports the interruptions that it hears, and exists until it is ended. */
function program(asksForSecond: boolean): string {
  return `
    const { interruptions } = await import(${JSON.stringify(MODULE)});
    const { first, second } = interruptions();
    first.addEventListener('abort', () => console.log('first'));
    if (${asksForSecond}) second().addEventListener('abort', () => console.log('second'));
    setTimeout(() => {}, 20_000);
    console.log('ready');`;
}

test.each([
  [true, ['ready', 'first', 'second', 'SIGTERM']],
  [false, ['ready', 'first', 'SIGTERM']],
])('if the second interruption is asked for (%s), these are heard: %j', async (asks, received) => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program(asks)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const lines: unknown[] = [];
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    child.kill('SIGTERM');
  }
  const [, signal] = await ended;
  expect([...lines, signal]).toEqual(received);
});

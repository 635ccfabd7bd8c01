import { jsonLogger } from '@fenestra/platform';
import { expect, test, vi } from 'vitest';
import { loopDelays, watchEventLoop } from './event-loop.ts';

test('a blocked event loop is reported', async () => {
  const reports: number[] = [];
  const stop = watchEventLoop((milliseconds) => reports.push(milliseconds));
  await vi.waitFor(() => expect(reports.length).toBeGreaterThan(0), 20_000);
  const until = performance.now() + 1_500;
  while (performance.now() < until);
  await vi.waitFor(() => expect(Math.max(...reports)).toBeGreaterThan(1_000), 20_000);
  stop();
});

test('a long delay is logged at most every ten seconds, and the longest of a minute is kept', () => {
  const lines: string[] = [];
  let clock = 0;
  const write = (line: string) => lines.push(line);
  const log = jsonLogger(write, 'warn', () => new Date(0));
  const delays = loopDelays('api', log, () => clock);
  for (const milliseconds of [10, 240, 300, 12_000]) delays.add(milliseconds);
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ thread: 'api', milliseconds: 300 });
  clock = 11_000;
  delays.add(400);
  expect(lines).toHaveLength(2);
  expect(delays.longestSeconds()).toBe(12);
  for (let n = 0; n < 60; n += 1) delays.add(1);
  expect(delays.longestSeconds()).toBe(0.001);
});

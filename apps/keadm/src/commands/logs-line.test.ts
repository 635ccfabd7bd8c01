import { expect, test } from 'vitest';
import { linesSince, logText } from './logs-line.ts';

const line = (time: string, msg = 'm'): string => JSON.stringify({ time, level: 'info', msg });

test('a line of the agent becomes time, level, message and fields', () => {
  const json =
    '{"time":"2026-01-02T03:04:05.006Z","level":"warn","msg":"Lost the cloud","module":"edgeHub","why":"no route","tries":3}';
  expect(logText(json)).toBe('2026-01-02 03:04:05.006  warn   Lost the cloud  module=edgeHub  why="no route"  tries=3');
});

test.each(['', 'panic: runtime error', '{"time":1}', '[1]', 'null'])('%j, of another form, stays as it is', (text) => {
  expect(logText(text)).toBe(text);
});

test('since keeps what came later, with lines that bear no time of their own', () => {
  const lines = [line('2026-01-01T00:00:00Z'), 'of the first', line('2026-01-02T00:00:00Z'), 'of the second'];
  expect(linesSince(lines, new Date('2026-01-01T12:00:00Z'))).toEqual(lines.slice(2));
  expect(linesSince(lines, new Date('2027-01-01T00:00:00Z'))).toEqual([]);
  expect(linesSince(lines, undefined)).toEqual(lines);
});

test('a log that bears no times is shown whole, whatever since says', () => {
  expect(linesSince(['I0102 a', 'I0102 b'], new Date())).toEqual(['I0102 a', 'I0102 b']);
});

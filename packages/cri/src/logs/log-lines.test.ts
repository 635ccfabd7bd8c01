import { expect, test } from 'vitest';
import { parseLogEntry } from './log-entry.ts';
import { lineJoiner, type LogLine, logLineBytes } from './log-lines.ts';

const TIME = '2026-03-01T10:00:00.123456789Z';

function parse(text: string) {
  return parseLogEntry(Buffer.from(text));
}

function linesOf(...entries: readonly string[]): readonly LogLine[] {
  const joiner = lineJoiner();
  const ended = entries.flatMap((text) => {
    const entry = parse(`${TIME} ${text}`);
    return (entry && joiner.add(entry)) ?? [];
  });
  return [...ended, ...joiner.rest()];
}

function shown(lines: readonly LogLine[], timestamps = false): string {
  return lines.map((line) => logLineBytes(line, timestamps).toString()).join('');
}

test('an entry has a time, a stream, a tag and a text', () => {
  expect(parse(`${TIME} stderr F a text  with spaces `)).toEqual({
    time: TIME,
    stream: 'stderr',
    isPartial: false,
    text: Buffer.from('a text  with spaces '),
  });
  expect(parse(`${TIME} stdout P:more x`)).toMatchObject({ isPartial: true });
});

test.each([`${TIME} stdout F `, `${TIME} stdout F`])('an empty line is a line: "%s"', (line) => {
  expect(parse(line)?.text.toString()).toBe('');
});

test.each(['', 'a', `${TIME} stdout`, `${TIME} stdin F x`, `${TIME} stdout X y`, `${TIME}  F x`])(
  'a line that is none of a log is ignored: "%s"',
  (line) => expect(parse(line)).toBeUndefined(),
);

test('bytes that are not UTF-8 stay as they are', () => {
  const line = Buffer.concat([Buffer.from(`${TIME} stdout F `), Buffer.from([0xff, 0x00, 0xc3])]);
  expect(parseLogEntry(line)?.text).toEqual(Buffer.from([0xff, 0x00, 0xc3]));
});

test('parts of a line are joined, each stream for itself', () => {
  const lines = linesOf('stdout P one ', 'stderr P bad ', 'stdout P two ', 'stderr F news', 'stdout F three');
  expect(shown(lines)).toBe('bad news\none two three\n');
});

test('a line without an end is shown without one', () => {
  const lines = linesOf('stdout F first', 'stdout P password: ');
  expect(shown(lines)).toBe('first\npassword: ');
  expect(lines.at(-1)).toMatchObject({ starts: true, ends: false });
});

test('the time is shown once for each line', () => {
  expect(shown(linesOf('stdout P a', 'stdout F b', 'stdout F c'), true)).toBe(`${TIME} ab\n${TIME} c\n`);
});

test('a line that is too long to be kept is shown in pieces, which join to the same text', () => {
  const part = 'x'.repeat(16 * 1024);
  const entries = Array.from({ length: 100 }, () => `stdout P ${part}`);
  const lines = linesOf(...entries, 'stdout F end', 'stdout F next');
  expect(lines.length).toBe(3);
  expect(shown(lines, true)).toBe(`${TIME} ${part.repeat(100)}end\n${TIME} next\n`);
});

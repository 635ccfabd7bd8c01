import { expect, test } from 'vitest';
import { jsonLogger } from './logger.ts';

const now = (): Date => new Date('2026-01-02T03:04:05.006Z');

test('a line is one JSON object: time, level, message, then the fields', () => {
  const lines: string[] = [];
  const log = jsonLogger((line) => lines.push(line), 'info', now).with({ module: 'edgeHub' });
  log.warn('Two\nlines', { count: 2 });
  expect(lines).toEqual([
    '{"time":"2026-01-02T03:04:05.006Z","level":"warn","msg":"Two\\nlines","module":"edgeHub","count":2}\n',
  ]);
});

test('what is below the level is not written, and no field takes the place of the message', () => {
  const lines: string[] = [];
  const log = jsonLogger((line) => lines.push(line), 'warn', now);
  log.info('quiet');
  log.error('loud', { msg: 'forged', level: 'debug' });
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
    { time: now().toISOString(), level: 'error', msg: 'loud' },
  ]);
});

test('text from outside cannot control the terminal that shows the log', () => {
  const lines: string[] = [];
  const log = jsonLogger((line) => lines.push(line), 'info', now);
  log.warn('Refused a connection', { reason: 'title \u009d0;x\u009c \u007f\u202egnp\u3164' });
  expect(lines[0]).toMatch(/^[ -~]+\n$/);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ reason: 'title \u009d0;x\u009c \u007f\u202egnp\u3164' });
});

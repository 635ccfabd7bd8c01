import { expect, test } from 'vitest';
import { parseSynchronized, parseOsRelease } from './linux-host.ts';
import { parseListeningPorts } from './listening.ts';
import { startMarkOf } from './processes.ts';

test('parseOsRelease reads quoted, unquoted and missing values', () => {
  const debian = 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nVERSION_ID="12"\nID=debian\n# comment\n';
  expect(parseOsRelease(debian)).toEqual({ id: 'debian', name: 'Debian GNU/Linux 12 (bookworm)', version: '12' });
  expect(parseOsRelease('NAME=\'Odd \\"x\\"\'\nBUILD_ID=rolling')).toEqual({
    id: 'linux',
    name: 'Odd "x"',
    version: 'rolling',
  });
  expect(parseOsRelease('').version).toBe('unknown');
});

test('startMarkOf finds the start time behind any program name, and none for a zombie', () => {
  expect(startMarkOf(statLine('S'))).toBe('98765');
  expect(startMarkOf(statLine('Z'))).toBeUndefined();
  expect(startMarkOf(undefined)).toBeUndefined();
});

test('parseListeningPorts sees listening sockets only', () => {
  const table = [
    '  sl  local_address rem_address   st tx_queue',
    '   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000',
    '   1: 00000000000000000000000000000000:0016 00000000000000000000000000000000:0000 0A 0',
    '   2: 0100007F:9C40 0100007F:1F90 01 00000000:00000000',
  ].join('\n');
  expect(parseListeningPorts(table)).toEqual([8080, 22]);
});

test('parseSynchronized knows yes, no and no answer', () => {
  expect([parseSynchronized('yes\n'), parseSynchronized('no\n'), parseSynchronized('')]).toEqual([
    true,
    false,
    undefined,
  ]);
});

function statLine(state: string): string {
  return `42 (a) b (c) ${state} ${'0 '.repeat(18)}98765 0 0`;
}

import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { deliverScript, WIDEN, type DeliveryOrder } from './deliver-script.ts';

const PROGRAM = { sha256: 'a'.repeat(64), size: 60_000_000, name: 'keadm' } as const;
const ORDER: DeliveryOrder = {
  base: '/var/lib/fenestra',
  runName: 'run',
  program: PROGRAM,
  entries: [],
  texts: new Map(),
  stored: new Set(),
  items: [PROGRAM],
  packing: undefined,
  pull: undefined,
  lastBytes: PROGRAM.size,
  isCounted: true,
};

test('the pipe that much comes through is made to hold a megabyte', () => {
  const size = "perl -e 'print fcntl(STDIN, 1032, 0)'";
  const [before, after] = ['true', WIDEN].map((line) =>
    Number(execFileSync('sh', ['-c', `true | { ${line}; ${size}; }`], { encoding: 'utf8' })),
  );
  expect([before, after]).toEqual([65_536, 1_048_576]);
});

test('a machine without perl says nothing of it, and goes on', () => {
  const line = `PATH=/nonexistent; ${WIDEN}; echo on`;
  expect(execFileSync('/bin/sh', ['-c', `{ ${line}; } 2>&1`], { encoding: 'utf8' })).toBe('on\n');
});

test.each([
  [true, 60_000_000, true],
  [true, 24_000_000, false],
  [false, 1_000_000, true],
])('wider: %s for %i bytes, counted: %s', (isWider, lastBytes, isCounted) => {
  expect(deliverScript({ ...ORDER, lastBytes, isCounted }).includes(WIDEN)).toBe(isWider);
});

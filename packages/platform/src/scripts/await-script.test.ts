import { expect, test } from 'vitest';
import { keptOutput } from './await-script.ts';

test('keptOutput keeps what fits as it came', () => {
  const output = keptOutput(8);
  for (const part of ['a', 'b', 'ü']) output.add(Buffer.from(part));
  expect(output.text()).toBe('abü');
});

test('keptOutput keeps the last of very much, and says how much is missing', () => {
  const output = keptOutput(4);
  for (let part = 0; part < 10; part += 1) output.add(Buffer.from(String(part)));
  expect(output.text()).toBe('(6 bytes before this were left out)\n6789');
  expect(output.text()).toBe('(6 bytes before this were left out)\n6789');
});

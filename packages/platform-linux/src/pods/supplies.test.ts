import { expect, test } from 'vitest';
import { memoryFacts } from './supplies.ts';

test('files that are only cached count as available, on a machine without memory control groups too', () => {
  const meminfo = `MemTotal:         948304 kB
MemFree:           51200 kB
MemAvailable:     700000 kB
Inactive:         430000 kB
Active(file):     150000 kB
Inactive(anon):    30000 kB
Inactive(file):   400000 kB
`;
  expect(memoryFacts(meminfo)).toEqual({ totalBytes: 948_304 * 1024, availableBytes: 451_200 * 1024 });
});

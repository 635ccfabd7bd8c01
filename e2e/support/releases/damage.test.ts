import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { flipByte, truncateHalf } from './damage.ts';

test('flipByte changes one bit and truncateHalf leaves the first half', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'damage-'));
  const file = join(folder, 'program');
  await writeFile(file, Buffer.of(0, 1, 2, 3, 4, 5));
  await flipByte(file);
  expect([...(await readFile(file))]).toEqual([0, 1, 2, 2, 4, 5]);
  await truncateHalf(file);
  expect([...(await readFile(file))]).toEqual([0, 1, 2]);
  await rm(folder, { recursive: true });
});

import { createHash } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { digestOf } from './present-files.ts';

test('digestOf reads a file of several blocks', async () => {
  const path = join(await mkdtemp(join(tmpdir(), 'digest-')), 'program');
  const content = Buffer.alloc(2_500_000, 'agent');
  await writeFile(path, content);
  expect(await digestOf(path)).toBe(createHash('sha256').update(content).digest('hex'));
});

test('digestOf reports a missing file with its path', async () => {
  await expect(digestOf('/nowhere/at/all')).rejects.toThrow('Cannot read "/nowhere/at/all"');
});

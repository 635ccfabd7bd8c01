import { createHash } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { digestAside } from './digest-aside.ts';

test('digestAside reads a file of several pieces to its end', async () => {
  const path = join(await mkdtemp(join(tmpdir(), 'digest-')), 'program');
  const content = Buffer.alloc(2_500_000, 'agent');
  await writeFile(path, content);
  expect(await digestAside(path)).toBe(createHash('sha256').update(content).digest('hex'));
});

test('digestAside says what the system says of a file that is not there', async () => {
  await expect(digestAside('/nowhere/at/all')).rejects.toMatchObject({ code: 'ENOENT' });
});

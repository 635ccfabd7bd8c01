import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { afterAll, expect, test } from 'vitest';
import { makeExecutable } from '../../build/make-executable.ts';
import { TARGETS } from '../../build/targets.ts';

const folders: string[] = [];

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function digestOfBuild(target: (typeof TARGETS)[number]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'fenestra-build-'));
  folders.push(folder);
  const hash = createHash('sha256');
  await pipeline(createReadStream(await makeExecutable(target, folder)), hash);
  return hash.digest('hex');
}

test.each(TARGETS)('two builds of $name in two folders give the same bytes', async (target) => {
  expect(await digestOfBuild(target)).toBe(await digestOfBuild(target));
});

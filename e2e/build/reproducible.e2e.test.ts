import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { afterAll, expect, test } from 'vitest';
import { makeExecutable } from '../../build/make-executable.ts';
import { TARGETS } from '../../build/targets.ts';

const DIST = join(import.meta.dirname, '../../dist');
const folders: string[] = [];

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

test.each(TARGETS)('a second build of $name in another folder gives the bytes of the first', async (target) => {
  const folder = await mkdtemp(join(tmpdir(), 'fenestra-build-'));
  folders.push(folder);
  const first = join(DIST, target.name, target.executable);
  expect(await digestOf(await makeExecutable(target, folder))).toBe(await digestOf(first));
});

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bundleProgram } from '../../../build/bundle-program.ts';
import { TARGETS } from '../../../build/targets.ts';

/** The parser of command lines, errors, and little else. */
const LIMIT = 100_000;

test.each(TARGETS)('on $name a short command does not wait for the code of the long ones', async (target) => {
  const folder = await mkdtemp(join(tmpdir(), 'fenestra-bundle-'));
  onTestFinished(async () => rm(folder, { recursive: true }));
  const { others } = await bundleProgram(target, {}, folder);
  const command = others.find((name) => name.startsWith('version.command-')) ?? 'no such command';
  const texts = await readWithShared(folder, new Set(['keadm.cjs', command]));
  expect(texts.join('').length).toBeLessThan(LIMIT);
});

/** Bundles with those they share with others; what is only loaded on demand has other names. */
async function readWithShared(folder: string, names: Set<string>): Promise<readonly string[]> {
  const texts: string[] = [];
  // A set that grows is walked to its new end.
  for (const name of names) {
    const text = await readFile(join(folder, name), 'utf8');
    texts.push(text);
    for (const [shared] of text.matchAll(/chunk-\w+\.cjs/g)) names.add(shared);
  }
  return texts;
}

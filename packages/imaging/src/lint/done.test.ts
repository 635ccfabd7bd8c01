import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { lintUserData } from './lint-user-data.ts';
import { doneBy } from './testing/done-by.ts';

/** Documents, and what the code of cloudbase-init did with them: the files it wrote with their sizes, what it ran and set. */
const CASES = z
  .array(z.tuple([z.string(), z.array(z.string())]))
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'fixtures/done.json'), 'utf8')));

test('what lint says is done is what cloudbase-init did', () => {
  expect(CASES.length).toBeGreaterThan(400);
  for (const [text, done] of CASES) {
    const report = lintUserData(Buffer.from(text), { version: '1.1.4', service: undefined });
    expect({ text, done: doneBy(report) }).toEqual({ text, done: done.toSorted() });
  }
});

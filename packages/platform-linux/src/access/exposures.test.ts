import { chmodSync, lchownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exposuresOf, type ExposureRule } from './exposures.ts';

const NOBODY = 65534;
const asRoot = process.geteuid?.() === 0;
const folder = mkdtempSync(join(tmpdir(), 'exposures-'));
const at = (...names: readonly string[]): string => join(folder, ...names);
const users = [0, process.geteuid?.() ?? 0];
const NODE: ExposureRule = { users, sharedFolder: false, creates: true };
const INPUT: ExposureRule = { users, sharedFolder: false, creates: false };
const OUTPUT: ExposureRule = { users, sharedFolder: true, creates: false };

beforeAll(() => {
  for (const name of ['own', 'open', 'shared']) mkdirSync(at(name));
  for (const name of ['own', 'open', 'shared']) writeFileSync(at(name, 'file'), '');
  chmodSync(at('open'), 0o777);
  chmodSync(at('shared'), 0o1777);
  writeFileSync(at('own', 'group'), '');
  chmodSync(at('own', 'group'), 0o664);
  symlinkSync('own/file', at('good-link'));
  symlinkSync(at('open'), at('own', 'leads-out'));
  symlinkSync('loop', at('loop'));
});

afterAll(() => rmSync(folder, { recursive: true }));

test.each<[string, ExposureRule, readonly string[]]>([
  ['own', NODE, []],
  ['own/new/deeper', NODE, []],
  ['good-link', INPUT, []],
  ['shared/file', INPUT, []],
  ['shared', OUTPUT, []],
  ['open', NODE, ['others can write to "DIR/open"']],
  ['open/file', INPUT, ['others can write to "DIR/open"']],
  ['open/new', NODE, ['others can write to "DIR/open"', 'others can create "DIR/open/new"']],
  ['own/leads-out/file', INPUT, ['others can write to "DIR/open"']],
  ['own/group', INPUT, ['others can write to "DIR/own/group"']],
  ['shared', NODE, ['others can write to "DIR/shared"']],
  ['shared/new', NODE, ['others can create "DIR/shared/new"']],
  ['shared/new', INPUT, []],
  ['loop', INPUT, ['"DIR/loop" leads through too many links']],
])('%s by %j: %j', async (path, rule, problems) => {
  expect(await exposuresOf(at(path), rule)).toEqual(problems.map((problem) => problem.replace('DIR', folder)));
});

test.skipIf(!asRoot)("someone else's file, folder or link is found wherever it is on the way", async () => {
  mkdirSync(at('theirs'));
  symlinkSync(at('own'), at('their-link'));
  for (const name of ['theirs', 'their-link']) lchownSync(at(name), NOBODY, NOBODY);
  expect(await exposuresOf(at('theirs', 'root'), NODE)).toEqual([`"${at('theirs')}" belongs to user ${NOBODY}`]);
  expect(await exposuresOf(at('their-link', 'file'), INPUT)).toEqual([
    `"${at('their-link')}" belongs to user ${NOBODY}`,
  ]);
  expect(await exposuresOf(at('theirs'), { ...INPUT, users: [...users, NOBODY] })).toEqual([]);
});

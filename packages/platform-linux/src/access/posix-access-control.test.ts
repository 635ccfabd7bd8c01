import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { chmod, lstat, mkdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accessControlContract } from '@fenestra/platform/contract';
import { afterAll, expect, test } from 'vitest';
import { testContract } from '../testing/contract-tests.ts';
import { posixAccessControl, ownProblems, parentProblems } from './posix-access-control.ts';

const NOBODY = 65534;
const folder = mkdtempSync(join(tmpdir(), 'fenestra-access-'));
chmodSync(folder, 0o755);
const access = posixAccessControl();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const asRoot = process.geteuid?.() === 0;
const cannotShow = asRoot ? {} : { 'others-kept-out': 'only root can try as another account' };
testContract(accessControlContract({ access, folder, readableByOthers, cannotShow }));

test('makePrivate keeps a program runnable, and refuses a link', async () => {
  const program = join(folder, 'program');
  await writeFile(program, '', { mode: 0o755 });
  await access.makePrivate(program);
  expect((await lstat(program)).mode & 0o777).toBe(0o700);
  await symlink(program, join(folder, 'link'));
  await expect(access.makePrivate(join(folder, 'link'))).rejects.toMatchObject({ code: 'UNSAFE_PATH' });
});

test.skipIf(!asRoot)('an input that is missing is exposed where others could create it', async () => {
  const shared = join(folder, 'shared');
  await mkdir(shared);
  await chmod(shared, 0o1777);
  const missing = join(shared, 'missing');
  expect(await access.exposures(missing, 'input')).toContain(`others can create "${missing}"`);
  expect(await access.exposures(join(folder, 'missing'), 'input')).not.toContain(
    `others can create "${join(folder, 'missing')}"`,
  );
  expect(await access.exposures(missing, 'output')).toEqual(await access.exposures(shared, 'output'));
});

function readableByOthers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    execFile('/bin/cat', [path], { uid: NOBODY, gid: NOBODY }, (error) => resolve(error === null));
  });
}

const rights = (mode: number, uid: number): Parameters<typeof ownProblems>[0] => ({
  mode,
  uid,
  isDirectory: () => false,
  isSymbolicLink: () => false,
});

test('ownProblems says who can do what', () => {
  expect(ownProblems(rights(0o100600, 0), 0)).toEqual([]);
  expect(ownProblems(rights(0o100644, 1000), 0)).toEqual([
    'it belongs to user 1000',
    'its group can read it',
    'everybody can read it',
  ]);
});

test('parentProblems minds folders where others can swap files, except sticky ones', () => {
  expect(parentProblems('/tmp', rights(0o041777, 0), 0)).toEqual([]);
  expect(parentProblems('/srv', rights(0o040777, 0), 0)).toHaveLength(2);
  expect(parentProblems('/home/x', rights(0o040755, 1000), 0)).toEqual([
    'the folder "/home/x" above it belongs to user 1000',
  ]);
});

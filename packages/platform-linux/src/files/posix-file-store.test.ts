import { mkdtempSync, rmSync } from 'node:fs';
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileStoreContract } from '@fenestra/platform/contract';
import { afterAll, expect, test } from 'vitest';
import { testContract } from '../testing/contract-tests.ts';
import { posixFileStore } from './posix-file-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'fenestra-files-'));
const files = posixFileStore();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

testContract(
  fileStoreContract({ files, folder, longRunning: { executable: '/bin/sleep', args: ['60'] }, cannotShow: {} }),
);

test('removeTree deletes what is in a folder that is read-only for its owner', async () => {
  await mkdir(join(folder, 'locked', 'inner'), { recursive: true });
  await writeFile(join(folder, 'locked', 'inner', 'file'), '');
  await chmod(join(folder, 'locked', 'inner'), 0o500);
  await files.removeTree(join(folder, 'locked'), folder, AbortSignal.timeout(5_000));
  expect(await readdir(folder)).not.toContain('locked');
});

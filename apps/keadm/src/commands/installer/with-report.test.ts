import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperatorError } from '@fenestra/kernel';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { success } from '../../cli/result.ts';
import { withReport } from './with-report.ts';

let folder: string;
let file: string;
const failure = new OperatorError('HUB_UNREACHABLE', 'Cannot reach the hub', { hint: 'Look at the cable.' });
const fail = async (): Promise<never> => Promise.reject(failure);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'report-'));
  file = join(folder, 'installer.log');
});
afterEach(async () => rm(folder, { recursive: true }));

test('withReport writes down why the work failed, and passes the failure on', async () => {
  await expect(withReport(file, fail)).rejects.toBe(failure);
  expect(await readFile(file, 'utf8')).toContain('Cannot reach the hub');
  await withReport(file, async () => ({ ...success({}, 'undone'), exitCode: 4 }));
  expect(await readFile(file, 'utf8')).toBe('undone\n');
});

test('withReport leaves nothing after success, not even of an earlier failure', async () => {
  await writeFile(file, 'an old failure');
  await withReport(file, async () => success({}, 'fine'));
  expect(existsSync(file)).toBe(false);
});

test('withReport does not write where a link leads that someone has laid', async () => {
  const other = join(folder, 'other');
  await writeFile(other, 'theirs');
  await symlink(other, file);
  await expect(withReport(file, fail)).rejects.toBe(failure);
  expect(await readFile(other, 'utf8')).toBe('theirs');
});

test('withReport fails as the work does where no report can be written', async () => {
  await expect(withReport(join(folder, 'absent', 'file'), fail)).rejects.toBe(failure);
});

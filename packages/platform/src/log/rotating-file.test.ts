import { mkdtempSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRotatingFile } from './rotating-file.ts';

const scratch = (): string => mkdtempSync(join(tmpdir(), 'log-'));

test('the log is never more than its count of files, each within its size, and the newest lines are kept', () => {
  const folder = scratch();
  const path = join(folder, 'edgecore.log');
  const log = openRotatingFile(path, { maxBytes: 100, count: 3 });
  for (let n = 0; n < 100; n += 1) log.write(`line ${n}\n`);
  log.close();
  expect(readdirSync(folder).toSorted()).toEqual(['edgecore.log', 'edgecore.log.1', 'edgecore.log.2']);
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).size).toBeLessThanOrEqual(100);
  const lines = ['.2', '.1', ''].flatMap((end) => readFileSync(`${path}${end}`, 'utf8').trim().split('\n'));
  expect(lines.at(-1)).toBe('line 99');
  expect(lines).toEqual(Array.from({ length: lines.length }, (_, n) => `line ${100 - lines.length + n}`));
});

test('a log that is there is continued, and is private like its folder', () => {
  const folder = join(scratch(), 'log');
  const path = join(folder, 'edgecore.log');
  openRotatingFile(path).write('one\n');
  openRotatingFile(path).write('two\n');
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test('a folder that can not be made is a catalogue error', () => {
  const folder = scratch();
  writeFileSync(join(folder, 'file'), '');
  expect(() => openRotatingFile(join(folder, 'file', 'edgecore.log'))).toThrow(
    expect.objectContaining({ hint: expect.any(String) }),
  );
});

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openServiceLog } from './service-log.ts';

test('a log keeps the latest lines in two files of bounded size', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fenestra-log-'));
  const path = join(folder, 'service.log');
  const log = openServiceLog(path, 100);
  for (let line = 0; line < 50; line += 1) log.append(`line number ${line}\n`);
  log.close();
  expect(readdirSync(folder).toSorted()).toEqual(['service.log', 'service.log.1']);
  expect(statSync(path).size).toBeLessThanOrEqual(100);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(path, 'utf8')).toContain('line number 49\n');
  rmSync(folder, { recursive: true });
});

test('a log that is opened again goes on where it was', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fenestra-log-'));
  const path = join(folder, 'service.log');
  for (const line of ['one\n', 'two\n']) {
    const log = openServiceLog(path);
    log.append(line);
    log.close();
  }
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
  rmSync(folder, { recursive: true });
});

test('a log whose old lines can go nowhere keeps the latest ones, within its limit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fenestra-log-'));
  const path = join(folder, 'service.log');
  mkdirSync(`${path}.1/occupied`, { recursive: true });
  const log = openServiceLog(path, 100);
  for (let line = 0; line < 50; line += 1) log.append(`line number ${line}\n`);
  rmSync(`${path}.1`, { recursive: true });
  for (let line = 50; line < 60; line += 1) log.append(`line number ${line}\n`);
  log.close();
  const text = readFileSync(path, 'utf8');
  expect(text.length).toBeLessThanOrEqual(100);
  expect(text).toContain('line number 59\n');
  expect(readFileSync(`${path}.1`, 'utf8')).toContain('line number 5');
  rmSync(folder, { recursive: true });
});

test('a log that someone has deleted begins again at its next turn', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fenestra-log-'));
  const path = join(folder, 'service.log');
  const log = openServiceLog(path, 20);
  log.append('first line\n');
  rmSync(path);
  log.append('second line\n');
  log.close();
  expect(readFileSync(path, 'utf8')).toBe('second line\n');
  rmSync(folder, { recursive: true });
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { announceReadiness, parseReadiness, readReadiness, stateOfLiveProcess } from './readiness.ts';

test('what is announced can be read, but only as the word of its author', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fenestra-readiness-'));
  const file = join(folder, 'readiness');
  expect(await readReadiness(file, process.pid)).toBeUndefined();
  await announceReadiness(file, 'starting');
  expect(await readReadiness(file, process.pid)).toBe('starting');
  await announceReadiness(file, 'ready');
  expect(await readReadiness(file, process.pid)).toBe('ready');
  expect(await readReadiness(file, process.pid + 1)).toBeUndefined();
  await rm(folder, { recursive: true });
});

test('parseReadiness takes nothing for an answer but the two words', () => {
  expect(parseReadiness('done 7\n', 7)).toBeUndefined();
  expect(parseReadiness('', 7)).toBeUndefined();
});

test('a silent program is starting until it has settled, one that speaks is what it says', () => {
  expect(stateOfLiveProcess(undefined, 100)).toBe('starting');
  expect(stateOfLiveProcess(undefined, 60_000)).toBe('running');
  expect(stateOfLiveProcess('starting', 60_000)).toBe('starting');
  expect(stateOfLiveProcess('ready', 1)).toBe('running');
});

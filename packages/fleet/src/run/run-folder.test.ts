import { appendFile, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LockOwner } from '@fenestra/kernel';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Run, type RunResult, systemClock } from './run.ts';
import { obeyControl, runOwner, sendControl } from './control.ts';
import { findRun, listRuns, newRunId, readRun } from './list-runs.ts';
import { createRunFolder, nodeLogPath, reopenRunFolder, type RunKeeping } from './run-folder.ts';
import type { RunRecord } from './record.ts';

let runs = '';
beforeEach(async () => {
  runs = await mkdtemp(join(tmpdir(), 'runs-'));
});
afterEach(async () => rm(runs, { recursive: true }));

const ID = '20300101T000000-00ff';
const time = '2030-01-01T00:00:00.000Z';
const survey = {
  os: 'linux',
  arch: 'x64',
  shell: 'posix',
  installedVersion: undefined,
  state: 'absent',
  action: 'change',
  summary: 'join',
  previewed: false,
  missingBytes: 1,
  clockAheadSeconds: 0,
  notes: {},
} as const;
const records: readonly RunRecord[] = [
  {
    type: 'opened',
    time,
    run: ID,
    batch: { file: 'batch.yaml', digest: 'd' },
    nodes: [{ name: 'n0', groups: [], shownCommand: ['join'] }],
  },
  { type: 'run-begun', time, run: ID, nodes: 1, resumed: false },
  { type: 'surveyed', time, node: 'n0', survey },
  { type: 'node', time, node: 'n0', state: 'executing', attempt: 1 },
];

const keeping = (pid: number, alive: readonly number[]): RunKeeping => ({
  owner: ownerWith(pid),
  isAlive: async (process) => alive.includes(process.pid),
  syncFolder: async () => {},
});
const ownerWith = (pid: number): LockOwner => ({ pid, startedAt: 's', bootId: 'b', command: 'keadm batch run' });

async function filledFolder(): Promise<string> {
  const folder = await createRunFolder(runs, ID, keeping(1, [1]));
  await Promise.all(records.map(async (record) => folder.append(record)));
  await folder.close();
  return folder.path;
}

test('what was written is read again, in order, and the state is what it says', async () => {
  const stored = await readRun(await filledFolder());
  expect(stored.events.map(({ type }) => type)).toEqual(['run-begun', 'node']);
  expect(stored.state?.nodes.get('n0')).toMatchObject({ state: 'executing', part: 'execute', survey });
});

test('a torn last record is left out, and the next one takes its place', async () => {
  const path = await filledFolder();
  const journal = join(path, 'journal');
  await truncate(journal, (await stat(journal)).size - 7);
  const folder = await reopenRunFolder(path, keeping(2, [2]));
  expect(folder.earlier).toHaveLength(3);
  await folder.append({ type: 'paused', time });
  await folder.close();
  expect((await readRun(path)).events.map(({ type }) => type)).toEqual(['run-begun', 'paused']);
});

test('a journal that was changed in the middle, or holds what no one wrote, is refused', async () => {
  const path = await filledFolder();
  const journal = join(path, 'journal');
  const bytes = await readFile(journal);
  bytes[40] = 0x7e;
  await writeFile(journal, bytes);
  await expect(readRun(path)).rejects.toMatchObject({ code: 'JOURNAL_CORRUPT' });
  await expect(reopenRunFolder(path, keeping(2, [2]))).rejects.toMatchObject({ code: 'JOURNAL_CORRUPT' });
  await appendFile(journal, 'nonsense');
  await expect(readRun(path)).rejects.toMatchObject({ code: 'JOURNAL_CORRUPT' });
});

test('a run belongs to one living process; the next takes over from a dead one', async () => {
  const first = await createRunFolder(runs, ID, keeping(1, [1]));
  await first.append(records[0] ?? { type: 'paused', time });
  await expect(reopenRunFolder(first.path, keeping(2, [1, 2]))).rejects.toMatchObject({
    code: 'NODE_LOCKED',
    message: `Cannot resume the run "${ID}": "keadm batch run" (process 1) is working on it`,
  });
  const second = await reopenRunFolder(first.path, keeping(2, [2]));
  expect(await runOwner(first.path)).toMatchObject({ pid: 2 });
  await second.close();
  expect(await runOwner(first.path)).toBeUndefined();
  await first.close();
});

test('no one else may read what a run leaves, and every node has its own log', async () => {
  const folder = await createRunFolder(runs, ID, keeping(1, [1]));
  for (let line = 0; line < 50; line += 1) folder.log(line % 2 === 0 ? 'n0' : '../a:b', `line ${line}`);
  await folder.close();
  expect((await readFile(nodeLogPath(folder.path, 'n0'), 'utf8')).split('\n')).toHaveLength(26);
  expect(await readdir(join(folder.path, 'nodes'))).toEqual(['..%2fa%3ab.log', 'n0.log']);
  for (const path of [folder.path, join(folder.path, 'journal'), nodeLogPath(folder.path, 'n0')]) {
    expect((await stat(path)).mode & 0o077).toBe(0);
  }
});

test('runs are listed by age, and the newest is found unless one is named', async () => {
  expect(await listRuns(join(runs, 'none'))).toEqual([]);
  await expect(findRun(runs, undefined)).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' });
  const ids = [2031, 2030].map((year) => newRunId(new Date(Date.UTC(year, 4, 6, 7, 8, 9)), () => 0.5));
  for (const id of ids) await (await createRunFolder(runs, id, keeping(1, [1]))).close();
  await writeFile(join(runs, 'notes.txt'), '');
  expect(await listRuns(runs)).toEqual(['20300506T070809-8000', '20310506T070809-8000']);
  expect(await findRun(runs, undefined)).toBe(join(runs, '20310506T070809-8000'));
  expect(await findRun(runs, '20300506T070809-8000')).toBe(join(runs, '20300506T070809-8000'));
  await expect(findRun(runs, '..')).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' });
});

test('a run does what is said to it from elsewhere, in order, but not what was said to its predecessor', async () => {
  const path = await filledFolder();
  await sendControl(path, 'abort', new Date(1000));
  const received: string[] = [];
  const { promise: ended, resolve: end } = Promise.withResolvers<RunResult>();
  const run: Run = {
    pause: () => void received.push('pause'),
    continue: () => void received.push('continue'),
    hold: () => end({ outcome: 'halted', counts: {}, nodes: [] }),
    abort: () => void received.push('abort'),
    ended,
  };
  const clock = { ...systemClock, wait: async (_ms: number, signal: AbortSignal) => systemClock.wait(5, signal) };
  const obeying = obeyControl(path, run, clock);
  await systemClock.wait(20, new AbortController().signal);
  for (const [index, word] of (['pause', 'continue', 'hold'] as const).entries()) {
    await sendControl(path, word, new Date(2000 + index));
  }
  await obeying;
  expect(received).toEqual(['pause', 'continue']);
  expect((await readdir(path)).toSorted()).toEqual(['journal', 'lock', 'nodes']);
});

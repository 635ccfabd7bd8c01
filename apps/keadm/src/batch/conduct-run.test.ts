import type { RunRecord, RunRecords } from '@fenestra/fleet';
import { expect, test } from 'vitest';
import { watchPlan } from './conduct-run.ts';

const TIME = { time: '2026-01-01T00:00:00.000Z' };
const PLANNED: RunRecord = { type: 'planned', ...TIME, waves: [{ name: 'rest', nodes: ['a'], soakSeconds: 0 }] };

test.each<[string, readonly RunRecord[], readonly RunRecord[]]>([
  ['was planned by an earlier process', [PLANNED], []],
  ['is planned now', [], [{ type: 'paused', ...TIME }, PLANNED]],
])('the waves of a run that %s are reported once, and all is still kept', async (_name, earlier, appended) => {
  const kept: RunRecord[] = [];
  const reported: (readonly string[])[] = [];
  const records: RunRecords = { earlier, append: async (record) => void kept.push(record), log: () => {} };
  const watched = watchPlan(records, (waves) => reported.push(waves));
  for (const record of appended) await watched.append(record);
  expect([reported, kept, watched.earlier]).toEqual([[['rest']], appended, earlier]);
});

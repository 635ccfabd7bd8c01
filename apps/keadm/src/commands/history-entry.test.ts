import type { JournalRecord } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import { historyEntry, historyText } from './history-entry.ts';

const owner = { pid: 1, startedAt: 's', bootId: 'b' };
const begun: JournalRecord = {
  type: 'begun',
  at: '2026-01-02T03:04:05.000Z',
  command: 'keadm upgrade',
  programVersion: '0.2.0',
  owner,
  plan: [{ id: 'p', title: 'P', steps: [{ kind: 'start-service', name: 'edgecore' }] }],
};
const failure = { code: 'AGENT_UNHEALTHY', message: 'It never connected' };
const turned: JournalRecord = { type: 'turned-back', at: '2026-01-02T03:04:10.000Z', failure };
const stuck: JournalRecord = {
  type: 'stuck',
  at: '2026-01-02T03:04:11.000Z',
  index: 0,
  failure: { code: 'DISK_FULL', message: 'No room' },
};
const ended = (outcome: 'applied' | 'reverted'): JournalRecord => ({
  type: 'ended',
  at: '2026-01-02T03:04:17.500Z',
  outcome,
});

test('a run that was undone shows why, and how long it took', () => {
  expect(historyEntry('j', [begun, turned, ended('reverted')], undefined)).toEqual({
    journal: 'j',
    command: 'keadm upgrade',
    began: '2026-01-02T03:04:05.000Z',
    ended: '2026-01-02T03:04:17.500Z',
    durationSeconds: 12.5,
    outcome: 'reverted',
    version: '0.2.0',
    recovered: false,
    failure,
  });
});

test('a run that is stuck shows what holds it, not what began it', () => {
  expect(historyEntry('j', [begun, turned, stuck], undefined)).toMatchObject({
    outcome: 'stuck',
    failure: { code: 'DISK_FULL' },
  });
});

test('a run that was cut off is unfinished; a journal that cannot be trusted is damaged', () => {
  expect(historyEntry('j', [begun], undefined)).toMatchObject({ outcome: 'unfinished', ended: undefined });
  expect(historyEntry('j', [], 'bad record at byte 0')).toMatchObject({ outcome: 'damaged', command: 'unknown' });
});

test('the text has a line a run, the oldest first', () => {
  const recovery: JournalRecord = { type: 'recovery-begun', at: begun.at, programVersion: '0.2.0', owner };
  const entries = [
    historyEntry('a', [begun, ended('applied')], undefined),
    historyEntry('b', [begun, recovery, turned, ended('reverted')], undefined),
  ];
  expect(historyText(entries)).toBe(
    [
      '2026-01-02 03:04:05  keadm upgrade  done                12.5 s  keadm 0.2.0',
      '2026-01-02 03:04:05  keadm upgrade  undone by recovery  12.5 s  keadm 0.2.0',
      '  AGENT_UNHEALTHY: It never connected',
    ].join('\n'),
  );
  expect(historyText([])).toBe('keadm has not changed this node yet');
});

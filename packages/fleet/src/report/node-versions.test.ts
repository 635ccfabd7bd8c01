import { expect, test } from 'vitest';
import { runState, type NodeStanding } from '../run/run-state.ts';
import type { RunRecord } from '../run/record.ts';
import { versionsOf, versionsText } from './node-versions.ts';

const TIME = { time: '2026-01-01T00:00:00.000Z' };

interface Ended {
  readonly installed?: string;
  /** The version that the command leads to. */
  readonly after?: string;
  readonly running?: boolean;
  readonly states: readonly Extract<RunRecord, { type: 'node' }>['state'][];
}

/** A node that was looked at, and went through these states. */
function standingAfter({ installed, after, running = installed !== undefined, states }: Ended): NodeStanding {
  const notes: Readonly<Record<string, string>> = after === undefined ? {} : { versionAfter: after };
  const survey = {
    os: 'linux',
    arch: 'x64',
    shell: 'posix',
    installedVersion: installed,
    state: running ? 'running' : 'absent',
    action: 'change',
    summary: '',
    previewed: false,
    missingBytes: 0,
    clockAheadSeconds: 0,
    notes,
  } as const;
  const batch = { file: '', digest: '' };
  const nodes = [{ name: 'a', groups: [], shownCommand: [] }];
  const state = runState([
    { type: 'opened', ...TIME, run: 'r1', batch, nodes },
    { type: 'node', ...TIME, node: 'a', state: 'surveying' },
    { type: 'surveyed', ...TIME, node: 'a', survey },
    ...states.map((each) => ({ type: 'node', ...TIME, node: 'a', state: each }) as const),
  ]);
  const standing = state?.nodes.get('a');
  if (standing === undefined) throw new Error('the run has this node');
  return standing;
}

const DONE = ['delivering', 'executing', 'proving', 'done'] as const;

test.each<[Ended, string | undefined, string | undefined]>([
  [{ after: 'v0.2.0', states: DONE }, 'none', 'v0.2.0'],
  [{ installed: '0.1.0', after: 'v0.2.0', states: DONE }, 'v0.1.0', 'v0.2.0'],
  [{ installed: '0.1.0', after: 'none', states: DONE }, 'v0.1.0', 'none'],
  [{ installed: '0.1.0', states: DONE }, 'v0.1.0', undefined],
  [{ installed: '0.2.0', states: ['unchanged'] }, 'v0.2.0', 'v0.2.0'],
  [{ installed: '0.1.0', after: 'v0.2.0', states: ['waiting', 'held'] }, 'v0.1.0', 'v0.1.0'],
  [{ installed: '0.1.0', after: 'v0.2.0', states: ['delivering', 'unreachable'] }, 'v0.1.0', 'v0.1.0'],
  [{ installed: '0.1.0', after: 'v0.2.0', states: ['delivering', 'executing', 'failed'] }, 'v0.1.0', undefined],
  [{ installed: '0.1.0', after: 'v0.2.0', states: [...DONE, 'rolling-back', 'rolled-back'] }, 'v0.1.0', 'v0.1.0'],
  [{ running: true, states: ['waiting'] }, undefined, undefined],
])('with %j: from %s to %s', (ended, before, after) => {
  expect(versionsOf(standingAfter(ended))).toEqual({ before, after });
});

test('the version of a node that no one has looked at is not known', () => {
  expect(versionsOf({ ...standingAfter({ states: [] }), survey: undefined })).toEqual({});
});

test.each([
  ['v1', 'v2', 'v1 -> v2'],
  ['none', 'v2', 'none -> v2'],
  ['v1', 'v1', 'v1'],
  ['v1', undefined, 'v1 -> ?'],
  [undefined, 'v2', 'v2'],
  [undefined, undefined, ''],
])('from %s to %s is "%s"', (before, after, text) => {
  expect(versionsText({ before, after }, '->')).toBe(text);
});

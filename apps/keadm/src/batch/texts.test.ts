import { accountOf, type RunAccount, type RunPlan, type BatchEvent } from '@fenestra/fleet';
import { expect, test } from 'vitest';
import { runStatusText } from '../commands/batch/status.command.ts';
import { planResult, planText } from './plan-batch.ts';
import { exitCodeOf } from './run-reports.ts';
import { namedRun, runsFolder, nextLines } from './runs-folder.ts';

const SURVEY = {
  os: 'linux',
  arch: 'x64',
  shell: 'posix',
  installedVersion: 'v0.1.0',
  state: 'running',
  action: 'change',
  summary: 'upgrade v0.1.0 to v0.2.0',
  previewed: false,
  missingBytes: 61_500_000,
  clockAheadSeconds: 0,
  notes: {},
} as const;

const PLAN: RunPlan = {
  waves: [{ name: 'canary', nodes: ['shop-1'], soakSeconds: 0 }],
  nodes: [
    { name: 'shop-1', fate: 'change', wave: 'canary', survey: SURVEY, failure: undefined },
    {
      name: 'shop-22',
      fate: 'nothing',
      wave: undefined,
      survey: { ...SURVEY, action: 'nothing', summary: 'already v0.2.0', installedVersion: 'v0.2.0' },
      failure: undefined,
    },
    {
      name: 'shop-3',
      fate: 'unreachable',
      wave: undefined,
      survey: undefined,
      failure: { code: 'REMOTE_UNREACHABLE', message: 'Cannot reach\nit', hint: 'x' },
    },
  ],
};

test('a plan is a table, the counts and the waves', () => {
  expect(planText(PLAN).split('\n')).toEqual([
    'NODE     SYSTEM     NOW             WAVE    WHAT',
    'shop-1   linux-x64  running v0.1.0  canary  upgrade v0.1.0 to v0.2.0, sends 61.5 MB',
    'shop-22  linux-x64  running v0.2.0  -       already v0.2.0',
    'shop-3   -          -               -       REMOTE_UNREACHABLE: Cannot reach it',
    '',
    '3 nodes: 1 to change, 1 up to date, 1 unreachable',
    'Waves: "canary" (1)',
  ]);
});

test('the plan for the others is there if a node cannot be looked at, and the exit code says that some failed', () => {
  expect(planResult(PLAN)).toMatchObject({ exitCode: 101, text: planText(PLAN), data: { dryRun: true, ...PLAN } });
  const unlooked = { name: 'x', fate: 'failed', wave: undefined, survey: undefined, failure: undefined } as const;
  expect(planResult({ ...PLAN, nodes: [unlooked] }).exitCode).toBe(101);
  expect(planResult({ ...PLAN, nodes: PLAN.nodes.slice(0, 2) }).exitCode).toBe(0);
});

const TIME = '2026-01-01T00:00:00.000Z';
const EVENTS: readonly BatchEvent[] = [
  { type: 'run-begun', time: TIME, run: 'r1', nodes: 2, resumed: false },
  { type: 'wave-begun', time: TIME, wave: 'all', nodes: ['a', 'b'] },
  { type: 'node', time: TIME, node: 'a', state: 'done', text: 'joined' },
  { type: 'node', time: TIME, node: 'b', state: 'executing', attempt: 2, text: 'keadm join' },
];

const ENVIRONMENT = { variables: { XDG_STATE_HOME: '/state' } };

function textOf(standing: string, events = EVENTS): string {
  const account = accountOf(events);
  const next = nextLines(ENVIRONMENT, '/state/fenestra/runs/r1', account, standing);
  return runStatusText(account, { standing, next }, new Date('2026-01-01T00:01:05Z'));
}

test('the status of a run has a line for each node', () => {
  expect(textOf('goes on').split('\n')).toEqual([
    'r1: goes on, 1 min 5 s',
    '1 done, 1 executing',
    '',
    'NODE  STATE      WAVE  ATTEMPTS  VERSION  WHAT',
    'a     done       all   1         -        joined',
    'b     executing  all   2         -        keadm join',
  ]);
});

test('the status tells the file, the versions, and the command where there is nothing else to say', () => {
  const account = accountOf([...EVENTS, { type: 'node', time: TIME, node: 'a', state: 'done' }]);
  const nodes = [...account.nodes].map(([name, node]) => {
    const command = ['upgrade', '--root', '/a b'];
    return [name, { ...node, command, versions: { before: 'v0.1.0', after: 'v0.2.0' } }] as const;
  });
  const reported: RunAccount = { ...account, file: '/fleet/shops.yaml', nodes: new Map(nodes) };
  expect(runStatusText(reported, { standing: 'goes on', next: [] }, new Date(TIME)).split('\n')).toEqual([
    'r1: goes on, 0 s',
    'File: /fleet/shops.yaml',
    '1 done, 1 executing',
    '',
    'NODE  STATE      WAVE  ATTEMPTS  VERSION           WHAT',
    "a     done       all   1         v0.1.0 -> v0.2.0  keadm upgrade --root '/a b'",
    'b     executing  all   2         v0.1.0 -> v0.2.0  keadm join',
  ]);
});

test('the status of a run that no one works on says what to do next, and that nothing was tried on a held node', () => {
  const held: BatchEvent = { type: 'node', time: TIME, node: 'c', state: 'held' };
  const lines = textOf('cut off', [...EVENTS, held]).split('\n');
  expect(lines).toContain('c     held       -     -         -');
  expect(lines.at(-1)).toBe('Next: "keadm batch resume r1" continues each node where it was.');
});

test.each([
  ['paused', 'Next: "keadm batch continue r1" ends the pause.'],
  ['cut off', 'Next: "keadm batch resume r1" continues each node where it was.'],
])('a run that was paused and is %s has this next step: %s', (standing, next) => {
  expect(textOf(standing, [...EVENTS, { type: 'paused', time: TIME }])).toContain(next);
});

test.each([
  ['/state/fenestra/runs/r1', 'r1'],
  ['/other/r1', 'r1 --runs /other'],
  ['/some where/r1', "r1 --runs '/some where'"],
])('a command finds the run in %s by %s', (folder, named) => {
  expect(namedRun(ENVIRONMENT, folder)).toBe(named);
});

const HALT = { wave: 'all', reason: 'x' };

test.each([
  ['all-well', undefined, 0],
  ['some-failed', undefined, 101],
  ['halted', { ...HALT, by: 'rule' }, 102],
  ['halted', { ...HALT, by: 'hold' }, 130],
  ['aborted', { ...HALT, by: 'abort' }, 130],
] as const)('a run that ended %s by %j returns %i', (outcome, halted, code) => {
  expect(exitCodeOf({ outcome, halted })).toBe(code);
});

test.each([
  [{ XDG_STATE_HOME: '/state', HOME: '/home/u' }, undefined, '/state/fenestra/runs'],
  [{ XDG_STATE_HOME: '', HOME: '/home/u' }, undefined, '/home/u/.local/state/fenestra/runs'],
  [{ LOCALAPPDATA: '/local' }, undefined, '/local/fenestra/runs'],
  [{ HOME: '/home/u' }, '/runs', '/runs'],
])('with %j and --runs %s runs are kept in %s', (variables, asked, folder) => {
  expect(runsFolder({ variables }, asked)).toBe(folder);
});

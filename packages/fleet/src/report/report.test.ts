import { BatchReport, reportData } from './report.ts';
import type { BatchEvent } from './events.ts';
import { expect, test } from 'vitest';
import { openState } from '../run/run-state.ts';
import { commandText, escapeMarkup, spanText } from './texts.ts';
import { accountOf, describedAccount, type RunAccount } from './run-account.ts';
import { htmlReport } from './html-report.ts';
import { junitReport } from './junit-report.ts';
import { summaryText } from './summary-text.ts';

const EVIL = `<script>alert("1")</script>'&`;

function at(seconds: number): { time: string } {
  return { time: new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString() };
}

const AUTH = { code: 'REMOTE_AUTH', message: 'Cannot log in to "shop-2"', hint: 'Check the key.' };

const EVENTS: readonly BatchEvent[] = [
  { type: 'run-begun', ...at(0), run: 'r1', nodes: 4, resumed: false, waves: ['first', 'rest'] },
  { type: 'wave-begun', ...at(0), wave: 'first', nodes: ['shop-1', 'shop-2'] },
  { type: 'node', ...at(1), node: 'shop-1', state: 'surveying' },
  { type: 'node', ...at(1), node: 'shop-2', state: 'surveying' },
  { type: 'node-log', ...at(2), node: 'shop-2', line: EVIL },
  { type: 'node', ...at(3), node: 'shop-2', state: 'failed', failure: AUTH },
  { type: 'node', ...at(61), node: 'shop-1', state: 'done', text: 'joined' },
  { type: 'wave-ended', ...at(61), wave: 'first' },
  { type: 'wave-begun', ...at(61), wave: 'rest', nodes: ['shop-3', EVIL] },
  {
    type: 'node',
    ...at(62),
    node: 'shop-3',
    state: 'failed',
    failure: { ...AUTH, message: 'Cannot log in to "shop-3"' },
  },
  { type: 'node', ...at(62), node: EVIL, state: 'held' },
  { type: 'run-ended', ...at(70), outcome: 'some-failed', counts: {} },
];

test('the summary counts, and groups failures by reason', () => {
  expect(summaryText(accountOf(EVENTS)).split('\n')).toEqual([
    'Some nodes failed: run r1, 4 nodes in 1 min 10 s',
    '1 done, 2 failed, 1 held',
    'REMOTE_AUTH on 2: shop-2, shop-3',
    '  Cannot log in to "shop-2"',
    '  Hint: Check the key.',
  ]);
});

test('a run that goes on has one beginning and no end yet', () => {
  const account = accountOf([
    ...EVENTS,
    { type: 'run-begun', ...at(100), run: 'r1', nodes: 4, resumed: true },
    { type: 'wave-begun', ...at(100), wave: 'rest', nodes: ['shop-3'] },
    { type: 'node', ...at(110), node: 'shop-3', state: 'done' },
  ]);
  expect(account).toMatchObject({ begunAt: Date.parse(at(0).time), endedAt: undefined, outcome: undefined });
  expect(account.waves.map(({ name, nodes }) => [name, nodes.length])).toEqual([
    ['first', 2],
    ['rest', 2],
  ]);
  expect(account.nodes.get('shop-3')).toMatchObject({ state: 'done', failure: undefined });
});

test('the data has every node with its reason', () => {
  const { counts, nodes, outcome } = reportData(accountOf(EVENTS));
  expect({ counts, outcome }).toEqual({ counts: { done: 1, failed: 2, held: 1 }, outcome: 'some-failed' });
  expect(nodes[1]).toMatchObject({ name: 'shop-2', wave: 'first', seconds: 2, failure: AUTH, lines: [EVIL] });
});

/** The same run with what its journal tells besides: the file, the commands and what the survey found. */
function described(): RunAccount {
  const known = [
    { name: 'shop-1', groups: [], shownCommand: ['upgrade', '--version', 'v0.2.0'] },
    { name: 'shop-2', groups: [], shownCommand: ['join', '--token=***', `--set=${EVIL}`] },
  ];
  const batch = { file: '/fleet/<shops>.yaml', digest: '' };
  const state = openState({ type: 'opened', ...at(0), run: 'r1', batch, nodes: known });
  const survey = { os: 'linux', arch: 'x64', shell: 'posix', installedVersion: '0.1.0', state: 'running' } as const;
  const found = {
    ...survey,
    action: 'change',
    summary: '',
    previewed: false,
    missingBytes: 0,
    clockAheadSeconds: 0,
    notes: { versionAfter: 'v0.2.0' },
  } as const;
  const shop = state.nodes.get('shop-1');
  if (shop !== undefined) state.nodes.set('shop-1', { ...shop, state: 'done', part: 'prove', survey: found });
  return describedAccount(accountOf(EVENTS), state);
}

test('every form tells the batch file, the commands without secrets, and the versions', () => {
  const account = described();
  const { file, nodes } = BatchReport.parse(JSON.parse(JSON.stringify(reportData(account))));
  expect(file).toBe('/fleet/<shops>.yaml');
  expect(nodes.map(({ command, versionBefore, versionAfter }) => [command, versionBefore, versionAfter])).toEqual([
    [['upgrade', '--version', 'v0.2.0'], 'v0.1.0', 'v0.2.0'],
    [['join', '--token=***', `--set=${EVIL}`], null, null],
    [null, null, null],
    [null, null, null],
  ]);
  const page = htmlReport(account);
  expect(page).toContain('Run <code>r1</code> of <code>/fleet/&lt;shops&gt;.yaml</code>.');
  expect(page).toContain('<td class="name">v0.1.0 → v0.2.0</td>');
  expect(page).toContain('joined<code class="command">keadm upgrade --version v0.2.0</code>');
  const xml = junitReport(account);
  expect(xml).toContain('<property name="batch-file" value="/fleet/&lt;shops&gt;.yaml"/>');
  expect(xml).toContain('<property name="command" value="keadm upgrade --version v0.2.0"/>');
  expect(xml).toContain('<property name="version-before" value="v0.1.0"/>');
  expect(xml).toContain('<property name="version-after" value="v0.2.0"/>');
  for (const text of [page, xml]) expect(text).not.toContain('alert("');
});

test('the waves are those that nodes go with, once that is known', () => {
  const state = openState({ type: 'opened', ...at(0), run: 'r1', batch: { file: '', digest: '' }, nodes: [] });
  expect(describedAccount(accountOf(EVENTS), state).waveNames).toEqual(['first', 'rest']);
  state.waves = [{ name: 'rest', nodes: ['shop-1'], soakSeconds: 0 }];
  expect(describedAccount(accountOf(EVENTS), state).waveNames).toEqual(['rest']);
});

test.each([
  [['join', '--name=a'], 'keadm join --name=a'],
  [['config', 'set', 'a=b c', ''], "keadm config set 'a=b c' ''"],
  [['config', 'set', "a='b'"], `keadm config set "a='b'"`],
])('the words %j are shown as %s', (words, text) => {
  expect(commandText(words)).toBe(text);
});

test('a node that was looked at and then held has had no attempt', () => {
  const events: readonly BatchEvent[] = [
    { type: 'node', ...at(0), node: 'a', state: 'surveying', attempt: 3 },
    { type: 'node', ...at(1), node: 'a', state: 'waiting' },
    { type: 'node', ...at(2), node: 'a', state: 'held' },
  ];
  const account = accountOf(events);
  expect(reportData(account).nodes[0]?.attempts).toBe(0);
  expect(htmlReport(account)).toContain('<td class="state s-held">held</td><td class="number"></td>');
});

test('JUnit has a suite per wave, and whatever a node says stays text', () => {
  const xml = junitReport(accountOf(EVENTS));
  expect(xml).toContain('<testsuite name="first" tests="2" failures="1" skipped="0" time="62.000">');
  expect(xml).toContain('<testcase classname="first" name="shop-1" time="60.000"/>');
  expect(xml).toContain('<failure type="REMOTE_AUTH" message="Cannot log in to &quot;shop-2&quot;">');
  expect(xml).toContain(`<system-out>${escapeMarkup(EVIL)}</system-out>`);
  expect(xml).not.toContain('<script>');
});

test('the page is whole by itself, and whatever a node says stays text', () => {
  const page = htmlReport(accountOf(EVENTS));
  expect(page.match(/<script>/g)).toHaveLength(1);
  expect(page).not.toContain('alert("');
  expect(page).not.toMatch(/(src|href)=|url\(|@import/);
  expect(page).toContain(`<summary>shop-2</summary>`);
  expect(page.match(/<tr data-state/g)).toHaveLength(4);
  expect(page).toContain('<td class="state s-done">done</td><td class="number">1</td><td class="number">1 min</td>');
});

test('the headings of numbers stand above them, and no name of a node is broken', () => {
  const page = htmlReport(accountOf(EVENTS));
  expect(page).toContain('<th class="number">Attempts</th><th class="number">Time</th>');
  expect(page).toContain('<td class="name">shop-1</td>');
  expect(page).toMatch(/\.number \{ text-align: right; .*\.name \{ white-space: nowrap; \}/);
});

test('markup loses what no page may hold', () => {
  expect(escapeMarkup('a\u0000b\u001b[2Jc\ud800d\te')).toBe('a\ufffdb\ufffd[2Jc\ufffdd\te');
  expect(escapeMarkup('a\u202eb\u2066c\u200bd')).toBe('a\\u202eb\\u2066c\\u200bd');
});

test.each([
  [0, '0 s'],
  [59_400, '59 s'],
  [60_000, '1 min'],
  [125_000, '2 min 5 s'],
  [3_780_000, '1 h 3 min'],
])('%i ms are %s', (milliseconds, text) => {
  expect(spanText(milliseconds)).toBe(text);
});

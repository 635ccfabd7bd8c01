/** A run that is paused, held and aborted while commands run on its nodes: by commands, and by signals. */
import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { BatchReport } from '@fenestra/fleet';
import { parseJson } from '@fenestra/kernel';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BatchAnswer, type RunningBatch, problemsIn, statesIn } from './controller.ts';
import { folderWith } from './fault-parts.ts';
import { joinsOf, leftBelow, type PlainNode, type PlainSite, startPlainSite } from './plain-site.ts';

/** Nothing else on this machine sleeps for so long. */
const ENDLESS = 'sleep 86413';
const SCRIPTS = { 'brief.sh': '#!/bin/sh\nsleep 2\n', 'endless.sh': `#!/bin/sh\n${ENDLESS}\n` };
const INTERRUPTED = 130;
const NOT_FOUND = 103;
/** Much longer than a run takes to honour a word. */
const A_WHILE_MS = 1500;
const LONGEST_SILENCE_SECONDS = 3;
let site: PlainSite;
let file: string;

/** The first three have a command that takes a while, the last two one that never ends by itself. */
beforeAll(async () => {
  site = await startPlainSite(5);
  const copyFrom = await folderWith(site, 'scripts', SCRIPTS);
  const endless = { keadmCmd: `${site.joining} --pre-run endless.sh` };
  const content = site.fileFor(site.nodes, {
    defaults: {
      copyFrom,
      keadmCmd: `${site.joining} --pre-run brief.sh`,
      timeouts: { silence: `${LONGEST_SILENCE_SECONDS}s` },
    },
    own: Object.fromEntries(site.nodes.slice(3).map(({ name }) => [name, endless])),
    maxRunNum: 1,
  });
  file = await site.controller.write('control.yaml', content);
});
afterAll(async () => site.stop());

test('a run is paused, goes on and is held by commands, and its status tells each', async () => {
  const [first, second, third] = [nodeAt(0), nodeAt(1), nodeAt(2)];
  const running = site.controller.start(['-c', file, ...site.flags]);
  await executing(running, first);
  expect(await say('pause')).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Requested "pause"') });
  await running.until(({ type }) => type === 'paused');
  expect(await status()).toMatchObject({ standing: 'paused', nodes: [{ state: 'executing' }, ...waiting(4)] });
  await running.until((event) => event.type === 'node' && event.node === first.name && event.state === 'done');
  await delay(A_WHILE_MS);
  expect(await status()).toMatchObject({ standing: 'paused', nodes: [{ state: 'done' }, ...waiting(4)] });
  expect((await statusText()).stdout).toMatch(
    /: paused, [^]*\nNext: "keadm batch continue \S+ --runs \S+" ends the pause/,
  );

  expect((await say('continue')).exitCode).toBe(0);
  await executing(running, second);
  expect(await status()).toMatchObject({ standing: 'goes on', nodes: [{}, { state: 'executing' }, ...waiting(3)] });

  expect((await say('hold')).exitCode).toBe(0);
  const answer = await running.ended;
  expect([answer.exitCode, Object.values(statesIn(answer))]).toEqual([
    INTERRUPTED,
    ['done', 'done', 'held', 'held', 'held'],
  ]);
  expect(await status()).toMatchObject({ standing: 'halted', outcome: 'halted', halted: { by: 'hold' } });
  expect(await Promise.all([first, second, third].map(joinsOf))).toEqual([1, 1, 0]);
  expect(await say('pause')).toMatchObject({ exitCode: NOT_FOUND, stdout: '' });
  expect(await leftOnAll()).toEqual([]);
});

test('a run is aborted by a command: what was begun is undone, and no process of it is left', async () => {
  const [third, fourth, fifth] = [nodeAt(2), nodeAt(3), nodeAt(4)];
  const running = site.controller.start(['resume', ...site.flags]);
  await executing(running, fourth);
  await untilAsleep();
  expect((await say('abort')).exitCode).toBe(0);
  const answer = await running.ended;
  expect(answer.exitCode).toBe(INTERRUPTED);
  expect(statesIn(answer)).toEqual({ [third.name]: 'done', [fourth.name]: 'rolled-back', [fifth.name]: 'held' });
  expect(await status()).toMatchObject({ standing: 'aborted', outcome: 'aborted', halted: { by: 'abort' } });
  expect([isAsleep(), await leftOnAll()]).toEqual([false, []]);
});

test('a run whose process was stopped for a while goes on with it; a signal holds it, a second one aborts it', async () => {
  const fifth = nodeAt(4);
  const running = site.controller.start(['resume', ...site.flags]);
  await executing(running, fifth);
  await untilAsleep();
  running.signal('SIGSTOP');
  await delay(LONGEST_SILENCE_SECONDS * 1000 + A_WHILE_MS);
  expect(await status()).toMatchObject({ standing: 'goes on' });
  running.signal('SIGCONT');
  running.signal('SIGTERM');
  await running.until((event) => event.type === 'halted');
  expect([isAsleep(), (await status())['standing']]).toEqual([true, 'goes on']);
  running.signal('SIGTERM');
  const answer = await running.ended;
  expect([answer.exitCode, statesIn(answer)]).toEqual([INTERRUPTED, { [fifth.name]: 'rolled-back' }]);
  expect(await status()).toMatchObject({ standing: 'aborted', counts: { done: 3, 'rolled-back': 2 } });
  expect([isAsleep(), await leftOnAll()]).toEqual([false, []]);
});

test('the report tells the file, the commands without the token, and the versions', async () => {
  const answer = await site.controller.batch(['report', '--format', 'json', ...site.flags.slice(0, 2)]);
  expect(problemsIn(answer)).toEqual([]);
  const report = BatchReport.parse(parseJson(answer.stdout));
  expect(report.file).toBe(file);
  expect(report.nodes.map(({ versionBefore, versionAfter }) => [versionBefore, versionAfter])).toEqual([
    ...Array.from({ length: 3 }, () => ['none', expect.stringMatching(/^v\d/)]),
    ...Array.from({ length: 2 }, () => ['none', 'none']),
  ]);
  expect(report.nodes[0]?.command).toEqual(expect.arrayContaining(['join', '--token=***', '--pre-run', 'brief.sh']));
  expect(answer.stdout).not.toContain(site.token);
});

function nodeAt(index: number): PlainNode {
  const node = site.nodes[index];
  if (node === undefined) throw new Error('There are too few machines');
  return node;
}

async function executing(running: RunningBatch, { name }: PlainNode): Promise<void> {
  await running.until((event) => event.type === 'node' && event.node === name && event.state === 'executing');
}

function waiting(count: number): readonly object[] {
  return Array.from({ length: count }, () => ({ state: 'waiting' }));
}

/** What another terminal says to the newest run. */
async function say(word: string): Promise<BatchAnswer> {
  return site.controller.batch([word, ...site.flags.slice(0, 2)]);
}

async function statusText(...more: readonly string[]): Promise<BatchAnswer> {
  return site.controller.batch(['status', ...more, ...site.flags.slice(0, 2)]);
}

/** What `status` tells programs, which is what the reference promises. */
async function status(): Promise<Readonly<Record<string, unknown>>> {
  const { stdout } = await statusText('--output', 'json');
  const reported: unknown = parseJson(stdout);
  return { ...(typeof reported === 'object' ? reported : {}), ...BatchReport.parse(reported) };
}

async function leftOnAll(): Promise<readonly string[]> {
  return (await Promise.all(site.nodes.map(leftBelow))).flat();
}

function isAsleep(): boolean {
  return execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n').includes(ENDLESS);
}

async function untilAsleep(): Promise<void> {
  while (!isAsleep()) await delay(50);
}

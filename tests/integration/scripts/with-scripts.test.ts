import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { posixScripts } from '@fenestra/platform-linux';
import { type NodeChange, type ScriptedWork, withScripts } from '@fenestra/session';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sessionBelow } from '../../../e2e/support/crash/session-below.ts';

const { signal } = new AbortController();
const applied: NodeChange = { recovered: [], plan: [], outcome: 'applied' };
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scripts-'));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

async function script(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return path;
}

function around(wishes: { preRun?: string; postRun?: string; limitSeconds?: number }): ScriptedWork {
  const facts = { command: 'join', os: 'linux', arch: 'x64', nodeName: 'press-7', cloud: '10.0.0.5' };
  return {
    wishes: { limitSeconds: 20, ...wishes },
    scripts: posixScripts(),
    session: sessionBelow(folder, []),
    facts,
  };
}

const kept = (phase: string): string => join(folder, 'bookkeeping/scripts', `join-${phase}.log`);

test('both scripts learn the facts and no token, and what they say is kept for the administrator alone', async () => {
  vi.stubEnv('KEADM_TOKEN', 'very-secret');
  const text = 'echo "$FENESTRA_PHASE $FENESTRA_COMMAND $FENESTRA_NODE_NAME $FENESTRA_CLOUD"; env';
  const path = await script('tell.sh', text);
  const change = await withScripts(around({ preRun: path, postRun: path }), async () => applied, signal);
  expect(change).toEqual(applied);
  for (const phase of ['pre-run', 'post-run']) {
    const output = await readFile(kept(phase), 'utf8');
    expect(output).toMatch(new RegExp(`^${phase} join press-7 10.0.0.5\n`));
    expect(output).not.toContain('very-secret');
    expect((await stat(kept(phase))).mode & 0o077).toBe(0);
  }
});

test('a pre-run that fails keeps the work from beginning', async () => {
  let began = false;
  const work = async (): Promise<NodeChange> => {
    began = true;
    return applied;
  };
  const preRun = await script('fail.sh', 'echo not today; exit 3');
  await expect(withScripts(around({ preRun }), work, signal)).rejects.toMatchObject({
    code: 'SCRIPT_FAILED',
    message: expect.stringMatching(/exit code 3\n {2}not today$/),
  });
  expect(began).toBe(false);
});

test('a pre-run that takes too long is ended', async () => {
  const preRun = await script('sleep.sh', 'sleep 60');
  const work = withScripts(around({ preRun, limitSeconds: 0.3 }), async () => applied, signal);
  await expect(work).rejects.toMatchObject({ code: 'SCRIPT_FAILED', message: expect.stringContaining('in time') });
});

test('a post-run that fails is reported, and nothing is undone', async () => {
  const postRun = await script('fail.sh', 'exit 4');
  const change = await withScripts(around({ postRun }), async () => applied, signal);
  expect(change).toMatchObject({ outcome: 'applied', scriptFailure: { code: 'SCRIPT_FAILED' } });
});

test('a post-run whose output cannot be kept is not a failure of the work', async () => {
  await mkdir(join(folder, 'bookkeeping'));
  await writeFile(join(folder, 'bookkeeping/scripts'), 'a file where the folder should be');
  const postRun = await script('fine.sh', 'echo fine');
  expect(await withScripts(around({ postRun }), async () => applied, signal)).toEqual(applied);
});

test('a post-run does not run after work that was undone', async () => {
  const postRun = await script('note.sh', `touch ${join(folder, 'ran')}`);
  const reverted: NodeChange = { ...applied, outcome: 'reverted' };
  expect(await withScripts(around({ postRun }), async () => reverted, signal)).toEqual(reverted);
  await expect(stat(join(folder, 'ran'))).rejects.toMatchObject({ code: 'ENOENT' });
});

test('a post-run that is not there is found out before the work begins', async () => {
  let began = false;
  const work = async (): Promise<NodeChange> => {
    began = true;
    return applied;
  };
  const scripted = around({ postRun: join(folder, 'absent.sh') });
  await expect(withScripts(scripted, work, signal)).rejects.toMatchObject({ code: 'SCRIPT_FAILED' });
  expect(began).toBe(false);
});

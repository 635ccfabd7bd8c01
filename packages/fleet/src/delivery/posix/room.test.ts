import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import type { RemoteHost } from '@fenestra/platform';
import { localHosts, type LocalHosts } from '../testing/local-hosts.ts';
import { testNode } from '../testing/test-node.ts';
import type { CommandEnd } from '../remote-command.ts';
import { BEGIN_MARK } from './bootstrap.ts';
import { Room, type RoomScript } from './room.ts';
import { runScript } from './run-script.ts';
import { surveyScript } from './survey-script.ts';

const folder = mkdtempSync(join(tmpdir(), 'room-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A folder with a shell that is called sh there. */
function shellFolder(name: string, program: string): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  if (!existsSync(join(path, 'sh'))) symlinkSync(program, join(path, 'sh'));
  return path;
}

const SHELLS = { dash: '/usr/bin/dash', bash: '/usr/bin/bash', busybox: '/usr/bin/busybox' };

interface RunOptions extends Pick<RoomScript, 'isBeforeInput' | 'isTame'> {
  readonly signal?: AbortSignal;
  readonly onLine?: (line: string) => void;
}

interface Opened {
  readonly hosts: LocalHosts;
  readonly run: (script: string, more?: RunOptions) => Promise<CommandEnd>;
  /** Runs a script after one that has made the shell ready for input. */
  readonly feed: (script: string, input: AsyncIterable<string | Uint8Array>) => Promise<CommandEnd>;
}

function saying(script: string) {
  return { script: `echo ${BEGIN_MARK}\n${script}`, activity: 'trying' };
}

async function open(name: keyof typeof SHELLS = 'dash', prepare = (host: RemoteHost) => host): Promise<Opened> {
  const env = { PATH: `${shellFolder(name, SHELLS[name])}:/usr/bin:/bin`, SSH_CONNECTION: '192.0.2.1 1 192.0.2.7 2' };
  const hosts = localHosts({ shell: ['/bin/sh', '-c'], env });
  const { signal: never } = new AbortController();
  const host = prepare(await hosts.connect(hosts.target, never));
  const node = testNode(hosts.target, ['version']);
  return {
    hosts,
    feed: async (script, input) => {
      await runScript(host, node, { ...saying(':'), isBeforeInput: true }, never);
      return runScript(host, node, { ...saying(script), input, knowsItsEnd: true }, never);
    },
    run: async (script, { signal = never, ...more } = {}) =>
      runScript(host, node, { ...saying(script), ...more }, signal),
  };
}

describe.each(['dash', 'bash', 'busybox'] as const)('%s', (shell) => {
  test('runs one script after the other, none of which changes anything for the next', async () => {
    const { hosts, run } = await open(shell);
    expect(await run('one=1; cd /; umask 000; echo "from ${1%% *}"; echo why >&2; exit 3')).toEqual({
      exitCode: 3,
      output: 'from 192.0.2.1',
      errors: 'why',
    });
    expect(await run('echo "one=$one"; umask; pwd')).toEqual({
      exitCode: 0,
      output: `one=\n0077\n${process.cwd()}`,
      errors: '',
    });
    expect(await run("exec /usr/bin/printf '%s' unfinished")).toMatchObject({ exitCode: 0, output: 'unfinished' });
    expect(await run("printf unfinished >&2; kill -9 $(exec sh -c 'echo $PPID')")).toMatchObject({
      exitCode: 137,
      errors: expect.stringContaining('unfinished'),
    });
    expect(await run('exec /nonexistent/program')).toMatchObject({ exitCode: 127 });
    expect(hosts.lines).toHaveLength(1);
  });

  test('the survey of a machine without a node leaves the next script what it is given', async () => {
    const { run } = await open(shell);
    const survey = surveyScript({ root: join(folder, 'none'), runName: 'x' });
    const tame = { isTame: true, isBeforeInput: true };
    expect((await run(survey, tame)).output).toContain('stock=told');
    expect((await run('echo "$1"; echo *', tame)).output).toMatch(/^192\.0\.2\.1 .*\n[^*]/);
  });

  test('a tame script costs no shell of its own, finds no input, and is followed by others', async () => {
    const { run } = await open(shell);
    const tame = { isTame: true, isBeforeInput: true };
    const { output } = await run('echo $$; cat; echo why >&2; false', tame);
    expect(await run('exec sh -c \'echo "$PPID"\'')).toMatchObject({ output });
    expect(await run('echo why >&2; (exit 3)', tame)).toMatchObject({ exitCode: 3, errors: 'why' });
    expect(await run('echo "from ${1%% *}"')).toMatchObject({ output: 'from 192.0.2.1' });
  });

  test('what reads its input finds none, and takes nothing from the next script', async () => {
    const { hosts, run } = await open(shell);
    expect(await run('cat; read -r line || echo none')).toMatchObject({ output: 'none' });
    expect(await run('exec cat <<\'INPUT\'\n{ "secret": "$HOME `id`" }\nINPUT')).toMatchObject({
      output: '{ "secret": "$HOME `id`" }',
    });
    expect(hosts.lines).toHaveLength(1);
  });

  test('a script takes its input and not a byte more, and the next one is read as ever', async () => {
    const { hosts, run, feed } = await open(shell);
    const content = randomBytes(300_000);
    const taken = join(folder, `taken by ${shell}`);
    const take = `dd iflag=fullblock,count_bytes status=none bs=4096 count=300000 > '${taken}'; echo "\${1%% *}"`;
    expect(await feed(take, piecesOf(content))).toEqual({ exitCode: 0, output: '192.0.2.1', errors: '' });
    expect(readFileSync(taken)).toEqual(content);
    expect(await run('cat; echo next')).toMatchObject({ exitCode: 0, output: 'next' });
    expect(await feed('read -r line; echo "$line"', piecesOf('again\n'))).toMatchObject({ output: 'again' });
    expect(hosts.lines).toHaveLength(1);
  });

  test('what a script that fails has not read is run by nobody, and the next one has another shell', async () => {
    const { hosts, run, feed } = await open(shell);
    const touched = join(folder, `touched by ${shell}`);
    const left = Buffer.from(`\ntouch '${touched}'\n`.repeat(10_000));
    expect(await feed('echo said >&2; exit 3', piecesOf(left))).toMatchObject({ exitCode: 3, errors: 'said' });
    expect(await run('echo again')).toMatchObject({ output: 'again' });
    expect(hosts.lines).toHaveLength(2);
    expect(existsSync(touched)).toBe(false);
  });

  test('input that a script has left although it ended well is run by nobody', async () => {
    const { run, feed } = await open(shell);
    const touched = join(folder, `left for ${shell}`);
    expect(await feed('exit 0', piecesOf(`\ntouch '${touched}'\n`.repeat(1000)))).toMatchObject({ exitCode: 0 });
    await vi.waitFor(async () => expect(await run('echo again').catch(String)).toMatchObject({ output: 'again' }));
    expect(existsSync(touched)).toBe(false);
  });

  test('a script without input can come where one with input was expected', async () => {
    const { hosts, run } = await open(shell);
    await run(':', { isBeforeInput: true });
    expect(await run('cat; read -r line || echo none')).toMatchObject({ output: 'none' });
    expect(hosts.lines).toHaveLength(1);
  });
});

async function* piecesOf(content: string | Uint8Array): AsyncGenerator<string | Uint8Array> {
  for (let start = 0; start < content.length; start += 50_000) yield content.slice(start, start + 50_000);
}

async function* broken(): AsyncGenerator<string> {
  yield 'some';
  throw new Error('the disk is gone');
}

test('input that cannot be read fails the script and ends its shell', async () => {
  const { hosts, run, feed } = await open();
  await expect(feed('cat >/dev/null', broken())).rejects.toThrow('the disk is gone');
  expect(await run('echo again')).toMatchObject({ output: 'again' });
  expect(hosts.lines).toHaveLength(2);
});

test('a script that waits for the end of its input has a shell of its own', async () => {
  const hosts = localHosts({ shell: ['/bin/sh', '-c'], env: { PATH: '/usr/bin:/bin' } });
  const { signal } = new AbortController();
  const host = await hosts.connect(hosts.target, signal);
  const node = testNode(hosts.target, ['version']);
  const order = { script: `echo ${BEGIN_MARK}\ncat`, activity: 'trying' };
  await runScript(host, node, { ...order, isBeforeInput: true }, signal);
  expect(await runScript(host, node, { ...order, input: piecesOf('all of it') }, signal)).toMatchObject({
    output: 'all of it',
  });
  expect(hosts.lines).toHaveLength(2);
});

test('lines are told when they come', async () => {
  const { run } = await open();
  const go = join(folder, 'go');
  const told: string[] = [];
  const end = run(`echo first; while [ ! -e ${go} ]; do sleep 0.01; done; echo second`, {
    onLine: (line) => told.push(line),
  });
  await vi.waitFor(() => expect(told).toEqual(['first']));
  writeFileSync(go, '');
  expect(await end).toMatchObject({ exitCode: 0, output: '' });
  expect(told).toEqual(['first', 'second']);
});

test('a script that nobody waits for any more ends the shell, and the next one has another', async () => {
  const { hosts, run } = await open();
  const giveUp = new AbortController();
  const told: string[] = [];
  const end = run('echo here; sleep 100', { signal: giveUp.signal, onLine: (line) => told.push(line) });
  await vi.waitFor(() => expect(told).toEqual(['here']));
  giveUp.abort();
  await expect(end).rejects.toMatchObject({ code: 'INTERRUPTED' });
  expect(await run('echo again')).toMatchObject({ output: 'again' });
  expect(hosts.lines).toHaveLength(2);
});

test('while one script runs, another one gets a shell of its own', async () => {
  const { run } = await open();
  const go = join(folder, 'go on');
  const first = run(`while [ ! -e '${go}' ]; do sleep 0.01; done; echo first`);
  expect(await run('echo second')).toMatchObject({ output: 'second' });
  writeFileSync(go, '');
  expect(await first).toMatchObject({ output: 'first' });
});

test('a connection that is lost fails the script, and a shell that is killed ends it', async () => {
  const { hosts, run } = await open();
  const told: string[] = [];
  const lost = run('echo here; sleep 100', { onLine: (line) => told.push(line) });
  await vi.waitFor(() => expect(told).toEqual(['here']));
  hosts.cut();
  await expect(lost).rejects.toMatchObject({ code: 'REMOTE_LOST' });
  expect(await run('echo said >&2; kill -9 $$; exec sleep 0.01')).toMatchObject({
    exitCode: 137,
    errors: expect.stringContaining('said'),
  });
  expect(await run('echo again')).toMatchObject({ output: 'again' });
});

/** Runs a script in a shell whose command line is changed like this; nothing is waited for for long. */
async function runBehind(around: (line: string) => string, script: string) {
  const hosts = localHosts({ shell: ['/bin/sh', '-c'], env: { PATH: '/usr/bin:/bin' } });
  const { signal } = new AbortController();
  const host = await hosts.connect(hosts.target, signal);
  const changed = { ...host, start: async (line: string, until: AbortSignal) => host.start(around(line), until) };
  const room = new Room(changed, '', { beginMs: 200, otherMarkMs: 50 });
  const lines: string[] = [];
  const order = {
    script: `echo ${BEGIN_MARK}\n${script}`,
    activity: 'trying',
    onLine: (line: string) => lines.push(line),
  };
  const { exitCode, errors } = await room.run(order, signal);
  return { exitCode, lines: lines.filter((line) => line !== ''), errors };
}

test.each([
  ['errors lead to the output', (line: string) => `exec 2>&1; ${line}`, [BEGIN_MARK, 'one', 'why']],
  ['errors lead nowhere', (line: string) => `exec 2>/dev/null; ${line}`, [BEGIN_MARK, 'one']],
  ['the output is kept back until its end', (line: string) => `(${line}) | sed -n 'H;\${x;p;}'`, [BEGIN_MARK, 'one']],
])('%s: the script is heard to its end', async (_name, around, lines) => {
  expect(await runBehind(around, 'echo one; echo why >&2; exit 3')).toMatchObject({ exitCode: 3, lines });
});

test('an account whose shell may not make way for another one can run scripts, too', async () => {
  const ended = await runBehind((line) => `exec bash -r -c '${line}'`, 'echo one');
  expect(ended).toMatchObject({ exitCode: 0, lines: [BEGIN_MARK, 'one'] });
});

test('an account that waits for the end of its input before it says what it is, is no shell', async () => {
  const ended = await runBehind(() => 'echo Menu; cat >/dev/null; echo bye >&2; exit 1', 'echo never');
  expect(ended).toEqual({ exitCode: 1, lines: ['Menu'], errors: 'bye' });
});

test('a shell whose input was ended is over at once, so that the next script goes elsewhere', async () => {
  const hosts = localHosts({ shell: ['/bin/sh', '-c'], env: { PATH: '/usr/bin:/bin' } });
  const { signal } = new AbortController();
  const room = new Room(await hosts.connect(hosts.target, signal), '', { beginMs: 20, otherMarkMs: 50 });
  const script = { script: `sleep 0.1; echo ${BEGIN_MARK}`, activity: 'trying', onLine: () => undefined };
  const ended = room.run(script, signal).then(() => room.state);
  expect(await ended).toBe('over');
});

test.each(['dash', 'bash', 'busybox'] as const)('%s says nothing of the script that is killed', async (shell) => {
  const { run } = await open(shell);
  const { errors, exitCode } = await run("echo said >&2; exec sh -c 'kill -9 $$' <<'INPUT'\nhunter2\nINPUT");
  expect([exitCode, errors]).toEqual([137, 'said']);
});

test('a shell that dies while nobody uses it is not used any more', async () => {
  const { hosts, run } = await open();
  const { output } = await run('echo $PPID $$');
  process.kill(Number(output.split(' ')[1]), 'SIGKILL');
  await vi.waitFor(async () => expect(await run('echo again').catch(String)).toMatchObject({ output: 'again' }));
  expect(hosts.lines).toHaveLength(2);
});

test('whoever cannot take a line fails the script', async () => {
  const { run } = await open();
  const taken = run('echo one; echo two', {
    onLine: () => {
      throw new Error('no more');
    },
  });
  await expect(taken).rejects.toThrow('no more');
});

test('a room is left when it is told to be', async () => {
  const hosts = localHosts({ shell: ['/bin/sh', '-c'], env: { PATH: '/usr/bin:/bin' } });
  const host = await hosts.connect(hosts.target, new AbortController().signal);
  const room = new Room(host, '');
  const script = { script: `echo ${BEGIN_MARK}`, activity: 'trying', onLine: () => undefined };
  expect(await room.run(script, new AbortController().signal)).toMatchObject({ exitCode: 0 });
  expect(room.state).toBe('free');
  await room.leave();
  expect(room.state).toBe('over');
});

test('a machine whose shell cannot be had says so', async () => {
  const { run } = await open('dash', (host) => ({
    ...host,
    start: async (_line, signal) => host.start('echo no shell for you >&2; exit 1', signal),
  }));
  await expect(run('echo never')).rejects.toMatchObject({
    code: 'REMOTE_UNSUPPORTED',
    message: expect.stringContaining('no shell for you'),
  });
});

test('of a script that is cut short on its way nothing is run', async () => {
  const touched = join(folder, 'touched');
  const { run } = await open('dash', (host) => ({
    ...host,
    async start(line, signal) {
      const remote = await host.start(line, signal);
      const { input } = remote;
      const write = input.write.bind(input);
      input.write = (text: string): boolean => {
        write(text.slice(0, text.indexOf(') </dev/null')));
        input.end();
        return true;
      };
      return remote;
    },
  }));
  await expect(run(`touch ${touched}`)).rejects.toMatchObject({ code: 'REMOTE_UNSUPPORTED' });
  expect(existsSync(touched)).toBe(false);
});

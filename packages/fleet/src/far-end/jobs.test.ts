import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FarEndEvent, type FarEndJob, parseFarEndLine } from './messages.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { followJob, startJob, stopJob } from './index.ts';
import { jobFolder, readHolder } from './job-folder.ts';
import { bundleFarEnd } from './testing/far-end-program.ts';
import { testPorts } from './testing/test-ports.ts';

const { signal } = new AbortController();

let scratch = '';
let main = '';
beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'far-end-'));
  main = await bundleFarEnd(scratch);
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** A machine with a folder for one run. */
function machine() {
  const run = mkdtempSync(join(scratch, 'run-'));
  const folder = jobFolder(join(run, 'work'));
  const files = join(run, 'files');
  const events: FarEndEvent[] = [];
  const ports = testPorts([process.execPath, main], (line) => {
    const event = parseFarEndLine(line);
    if (event !== undefined) events.push(event);
  });
  return {
    run,
    folder,
    files,
    events,
    begin: async (script: string, more: Partial<FarEndJob> = {}) =>
      startJob(folder, { ...jobOf(script, files), ...more }, ports, signal),
    follow: async (from = 0) => followJob(folder, from, ports, signal),
    stop: async () => stopJob(folder, ports, signal),
    untilThere: async (name: string) => {
      while (!existsSync(join(files, name))) await sleep(20);
    },
  };
}

function jobOf(script: string, folder: string): FarEndJob {
  return {
    id: 'run-1/work',
    argv: ['script', script],
    shown: ['script', '***'],
    secrets: ['hunter2'],
    folder,
    save: [],
    limits: { commandSeconds: 20, stopSeconds: 5 },
  };
}

describe.concurrent('a job', () => {
  test('runs by itself until it ends, and is reported line by line without its secrets', async () => {
    const { begin, follow, events, folder } = machine();
    await begin('echo one >&2; echo token hunter2 >&2; echo "{}"; exit 3');
    await follow();
    expect(events).toMatchObject([
      { type: 'line', text: 'one', next: 4 },
      { type: 'line', text: 'token ***' },
      { type: 'ended', exit: { exitCode: 3, stopped: null }, result: '{}\n' },
    ]);
    for (const file of readdirSync(folder.path)) {
      expect(readFileSync(join(folder.path, file), 'utf8')).not.toContain('hunter2');
    }
  });

  test('is found by a second call, which goes on from where the first call ended', async () => {
    const { begin, follow, events, files } = machine();
    const script = 'echo one >&2; sleep 0.3; echo two >&2; echo x >> count';
    expect(await begin(script)).toEqual({ found: false });
    expect(await begin(script)).toEqual({ found: true });
    await follow(4);
    expect(events).toMatchObject([{ type: 'line', text: 'two', next: 8 }, { type: 'ended' }]);
    expect(readFileSync(join(files, 'count'), 'utf8')).toBe('x\n');
  });

  test('that is stopped ends politely if it can', async () => {
    const { begin, follow, stop, untilThere, events } = machine();
    await begin('trap "echo undone >&2; exit 9" TERM; echo > begun; sleep 30 >/dev/null 2>&1 & wait');
    await untilThere('begun');
    await stop();
    await follow();
    expect(events).toMatchObject([
      { type: 'line', text: 'undone' },
      { type: 'ended', exit: { exitCode: 9, stopped: 'asked' } },
    ]);
  });

  test('that does not listen is ended by force, with all it has started', async () => {
    const { begin, follow, stop, untilThere, events, files } = machine();
    const limits = { commandSeconds: 20, stopSeconds: 0.2 };
    await begin('trap "" TERM; sleep 30 & echo $! > pid; wait; wait; sleep 30', { limits });
    await untilThere('pid');
    await stop();
    await follow();
    expect(events).toMatchObject([{ type: 'ended', exit: { exitCode: 137, stopped: 'asked' } }]);
    const pid = readFileSync(join(files, 'pid'), 'utf8').trim();
    expect(processes('pid,stat')).not.toMatch(new RegExp(`^ *${pid} +[^Z]`, 'm'));
  });

  test('that outlasts its limit is stopped', async () => {
    const { begin, follow, events } = machine();
    await begin('exec sleep 30', { limits: { commandSeconds: 0.3, stopSeconds: 5 } });
    await follow();
    expect(events).toMatchObject([{ type: 'ended', exit: { exitCode: 143, stopped: 'limit' } }]);
  });

  test('whose holder was killed is gone, and may begin again', async () => {
    const { begin, follow, untilThere, events, folder } = machine();
    await begin('echo > begun; exec sleep 30');
    await untilThere('begun');
    process.kill((await readHolder(folder))?.pid ?? 0, 'SIGKILL');
    await follow();
    expect(events).toEqual([{ type: 'gone', rebooted: false }]);
    expect(await begin('exit 0')).toEqual({ found: false });
    await follow();
  });

  test('of an earlier boot is gone because of that', async () => {
    const { begin, follow, events, folder } = machine();
    await begin('exit 0');
    await follow();
    rmSync(folder.exitFile);
    writeFileSync(folder.holderFile, JSON.stringify({ pid: 1, startedAt: '1', bootId: 'another' }));
    await follow();
    expect(events.at(-1)).toEqual({ type: 'gone', rebooted: true });
  });

  test('that is not there is absent', async () => {
    const { follow, events } = machine();
    await follow();
    expect(events).toEqual([{ type: 'absent' }]);
  });

  test('has what is kept for a way back copied before it begins', async () => {
    const { begin, follow, run } = machine();
    const [from, to] = [join(run, 'config'), join(run, 'before')];
    writeFileSync(from, 'old');
    await begin(`echo new > ${from}`, {
      save: [
        { from, to },
        { from: join(run, 'none'), to },
      ],
    });
    await follow();
    expect(readFileSync(to, 'utf8')).toBe('old');
  });

  test('shows its words in no process list', async () => {
    const { begin, follow, folder } = machine();
    await begin('', { argv: ['join', '--token', 'hunter2', 'sleep 0.3'] });
    const shown = processes('args');
    expect(shown).toContain(`far-end hold ${folder.path}`);
    expect(shown).not.toContain('hunter2');
    await follow();
  });
});

function processes(columns: string): string {
  return execFileSync('ps', ['-eo', columns], { encoding: 'utf8' });
}

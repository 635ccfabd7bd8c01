import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { bundleFarEnd } from '@fenestra/fleet/testing/far-end-program';
import { remoteWorker } from '../../../packages/fleet/src/delivery/remote-worker.ts';
import { localHosts, type LocalHosts } from '@fenestra/fleet/testing/local-hosts';
import { effectInMemory } from '@fenestra/keadm/testing/keadm-in-memory';
import { testContext, testNode } from '@fenestra/fleet/testing/test-node';
import type { Program, RemoteWorker } from '../../../packages/fleet/src/delivery/worker-options.ts';

let programs = '';
let main = '';
beforeAll(async () => {
  programs = mkdtempSync(join(tmpdir(), 'far-end-'));
  main = await bundleFarEnd(programs);
});
afterAll(() => rmSync(programs, { recursive: true, force: true }));

let scratch = '';
let root = '';
let hosts: LocalHosts;
let worker: RemoteWorker;

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'worker-'));
  root = join(scratch, 'root');
  mkdirSync(root);
  hosts = localHosts({
    shell: ['sh', '-c'],
    env: { PATH: '/usr/bin:/bin', HOME: root, SSH_CONNECTION: '127.0.0.1 1 127.0.0.1 2' },
  });
  worker = openWorker(() => program());
});
afterEach(async () => {
  await worker.close();
  rmSync(scratch, { recursive: true, force: true });
});

function openWorker(programOf: () => Program): RemoteWorker {
  return remoteWorker({
    hosts,
    programs: async () => programOf(),
    carried: async () => programOf().version,
    effectOf: effectInMemory,
    now: () => new Date(),
    random: randomBytes,
    delivery: 'push',
    compress: 'auto',
    scratchFolder: scratch,
    idleConnections: 4,
  });
}

/** The far end as its own program. */
function program(script = `exec "${process.execPath}" "${main}" "$@"`): Program {
  const path = join(scratch, 'keadm');
  const text = `#!/bin/sh\n${script}\n`;
  writeFileSync(path, text);
  return { path, size: text.length, sha256: createHash('sha256').update(text).digest('hex'), version: '1.2.3' };
}

function node(script: string, secrets: readonly string[] = []) {
  return testNode(hosts.target, ['join', '--root', root, script], { secrets });
}

test('a node is surveyed, sent what it lacks, worked on and left tidy, over one connection', async () => {
  const context = testContext();
  const one = node('echo joined hunter2 >&2', ['hunter2']);
  const survey = await worker.survey(one, context);
  expect(survey).toMatchObject({ os: 'linux', shell: 'posix', state: 'absent', action: 'change', summary: 'join' });
  expect(survey.missingBytes).toBe(program().size);
  expect(Math.abs(survey.clockAheadSeconds)).toBeLessThan(60);
  await worker.deliver(one, survey, context);
  await worker.execute(one, survey, context);
  expect(context.logged).toEqual(['joined ***']);
  await worker.prove(one, survey, context);
  const runs = join(root, 'var/lib/fenestra/batch/runs');
  expect(statSync(runs).mode & 0o777).toBe(0o700);
  await worker.tidy(one, survey, context);
  expect(() => statSync(join(runs, 'edge-1'))).toThrow('ENOENT');
  expect(hosts.connections).toBe(1);
  expect(hosts.lines.join('\n')).not.toContain('hunter2');
  const { missingBytes } = await worker.survey(one, context);
  expect(missingBytes).toBe(0);
});

test('a worker is judged by a dry run there, proved by its status, and rolled back by a reset', async () => {
  const context = testContext();
  const joined = join(root, 'joined');
  const one = testNode(hosts.target, ['kube', 'join', '--root', root, `touch ${joined}`]);
  const survey = await worker.survey(one, context);
  expect(survey).toMatchObject({ action: 'change', previewed: true });
  await worker.deliver(one, survey, context);
  const seen = await worker.preview(one, survey, context);
  expect(seen).toMatchObject({ action: 'change', state: 'absent', notes: { versionAfter: 'v1.33.1' } });
  await expect(worker.prove(one, seen, context)).rejects.toMatchObject({ code: 'AGENT_UNHEALTHY' });
  await worker.execute(one, seen, context);
  await worker.prove(one, seen, context);
  const again = await worker.preview(one, survey, context);
  expect(again).toMatchObject({ action: 'nothing', state: 'running', installedVersion: 'v1.33.1' });
  await expect(worker.prove(one, again, context)).rejects.toThrow('its node is not Ready');
  rmSync(joined);
  await worker.rollBack(one, seen, context);
  expect(context.said).toEqual(['already as it was before']);
  writeFileSync(joined, '');
  // The reset fails here, because its last word is not a script.
  await expect(worker.rollBack(one, seen, context)).rejects.toThrow('"keadm kube reset" failed on "edge-1"');
});

test('a connection that is lost in the middle of the command is made again, and the command done once', async () => {
  const context = testContext();
  const one = node(`echo one >&2; echo x >> ${root}/count; sleep 1; echo two >&2`);
  const survey = await worker.survey(one, context);
  await worker.deliver(one, survey, context);
  const executed = worker.execute(one, survey, context);
  while (!context.logged.includes('one')) await sleep(20);
  hosts.cut();
  await executed;
  expect(context.logged).toEqual(['one', 'two']);
  expect(hosts.connections).toBe(2);
  expect(readFileSync(join(root, 'count'), 'utf8')).toBe('x\n');
  await worker.execute(one, survey, testContext());
  expect(readFileSync(join(root, 'count'), 'utf8')).toBe('x\n');
});

test('a failure over there comes back as it was, as often as it is asked for, and the command was done once', async () => {
  const context = testContext();
  const error = { code: 'HUB_UNREACHABLE', message: 'Cannot reach the cloud with hunter2', hint: 'Check the address.' };
  const one = node(`echo x >> ${root}/count; echo '${JSON.stringify({ error })}'; exit 43; : hunter2`, ['hunter2']);
  const survey = await worker.survey(one, context);
  await worker.deliver(one, survey, context);
  for (const asked of [context, testContext()]) {
    await expect(worker.execute(one, survey, asked)).rejects.toMatchObject({
      code: 'REMOTE_COMMAND_FAILED',
      message: '"keadm join" failed on "edge-1": [HUB_UNREACHABLE] Cannot reach the cloud with ***',
      hint: 'Check the address.',
      details: { farCode: 'HUB_UNREACHABLE', mayPass: true },
    });
    expect(readFileSync(join(root, 'count'), 'utf8')).toBe('x\n');
  }
});

test('a second try is its own job, done once, and stopped with all else when the node is tidied', async () => {
  const error = { code: 'HUB_UNREACHABLE', message: 'Cannot reach the cloud', hint: 'Check the address.' };
  const refused = `echo x >> ${root}/count; [ -e ${root}/cloud ] || { echo '${JSON.stringify({ error })}'; exit 43; }`;
  const endless = `trap "echo stopped > ${root}/how; exit 9" TERM; echo begun >&2; sleep 30 >/dev/null 2>&1 & wait`;
  const one = node(`${refused}; ${endless}`);
  const survey = await worker.survey(one, testContext('run'));
  await worker.deliver(one, survey, testContext('run'));
  const first = worker.execute(one, survey, testContext('run'));
  await expect(first).rejects.toMatchObject({ details: { farCode: 'HUB_UNREACHABLE', mayPass: true } });
  writeFileSync(join(root, 'cloud'), '');
  for (const round of ['begins it', 'finds it']) {
    const stop = new AbortController();
    const context = testContext('run', stop.signal, 2);
    const executed = worker.execute(one, survey, context);
    executed.catch(() => undefined);
    while (!context.logged.includes('begun')) await sleep(20);
    stop.abort();
    await expect(executed, round).rejects.toMatchObject({ code: 'INTERRUPTED' });
  }
  await worker.tidy(one, survey, testContext('run', undefined, 2));
  expect(readFileSync(join(root, 'count'), 'utf8')).toBe('x\nx\n');
  expect(readFileSync(join(root, 'how'), 'utf8')).toBe('stopped\n');
  expect(readdirSync(join(root, 'var/lib/fenestra/batch/runs'))).toEqual([]);
});

/** A command that goes on over there after it was interrupted here, and writes down that it was stopped. */
async function interrupted() {
  const stop = new AbortController();
  const context = testContext('run', stop.signal);
  const one = node(`trap "echo stopped > ${root}/how; exit 9" TERM; echo begun >&2; sleep 30 >/dev/null 2>&1 & wait`);
  const survey = await worker.survey(one, context);
  await worker.deliver(one, survey, context);
  const executed = worker.execute(one, survey, context);
  executed.catch(() => undefined);
  while (!context.logged.includes('begun')) await sleep(20);
  stop.abort();
  await expect(executed).rejects.toMatchObject({ code: 'INTERRUPTED' });
  return { one, survey };
}

test('what is interrupted here goes on there until it is tidied up', async () => {
  const { one, survey } = await interrupted();
  await worker.tidy(one, survey, testContext('run'));
  expect(readFileSync(join(root, 'how'), 'utf8')).toBe('stopped\n');
});

test('what is rolled back is stopped first, so that nothing goes on behind our back', async () => {
  const { one, survey } = await interrupted();
  const undoing = testContext('run');
  await worker.rollBack(one, survey, undoing);
  expect(readFileSync(join(root, 'how'), 'utf8')).toBe('stopped\n');
  expect(undoing.said).toEqual(['already as it was before']);
});

test('a way back that was begun is gone until it ends, whatever the node looks like half-way', async () => {
  const context = testContext();
  const one = node('exit 0');
  const survey = await worker.survey(one, context);
  await worker.deliver(one, survey, context);
  const runs = join(root, 'var/lib/fenestra/batch/runs');
  const undo = join(runs, readdirSync(runs)[0] ?? '', 'undo');
  mkdirSync(undo);
  const starter = { pid: 1, startedAt: '1', bootId: 'another' };
  writeFileSync(join(undo, 'job.json'), JSON.stringify({ id: 'x', shown: [], begunAt: 't', starter }));
  // The rollback fails here, because its last word is not a script.
  await expect(worker.rollBack(one, survey, context)).rejects.toMatchObject({ code: 'REMOTE_COMMAND_FAILED' });
  expect(context.said).not.toContain('already as it was before');
});

test('another keadm goes on with a command through the program that has begun it, and leaves nothing behind', async () => {
  const stop = new AbortController();
  const context = testContext('run', stop.signal);
  const one = node(`echo one >&2; echo x >> ${root}/count; sleep 0.4; echo two >&2`);
  const survey = await worker.survey(one, context);
  await worker.deliver(one, survey, context);
  const executed = worker.execute(one, survey, context);
  executed.catch(() => undefined);
  while (!context.logged.includes('one')) await sleep(20);
  stop.abort();
  await expect(executed).rejects.toMatchObject({ code: 'INTERRUPTED' });
  const newer = openWorker(() => program('exit 77'));
  const later = testContext('run');
  await newer.execute(one, survey, later);
  expect(later.logged).toEqual(['one', 'two']);
  expect(readFileSync(join(root, 'count'), 'utf8')).toBe('x\n');
  await newer.tidy(one, survey, later);
  expect(readdirSync(join(root, 'var/lib/fenestra/batch/runs'))).toEqual([]);
  await newer.close();
});

test('a program that is killed there before it could take the job may be asked again', async () => {
  worker = openWorker(() => program('kill -9 $$'));
  const context = testContext();
  const one = node('exit 0');
  const survey = await worker.survey(one, context);
  await worker.deliver(one, survey, context);
  await expect(worker.execute(one, survey, context)).rejects.toMatchObject({ code: 'REMOTE_LOST' });
});

test('a program that does not start there says so', async () => {
  const context = testContext();
  const one = node('exit 0');
  const survey = await worker.survey(one, context);
  await expect(worker.execute(one, survey, context)).rejects.toMatchObject({
    code: 'DELIVERY_FAILED',
    message: expect.stringContaining('does not start there'),
  });
});

import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPlatform } from '#platform';
import { BatchEvent } from '@fenestra/fleet';
import { runKeadm } from '@fenestra/keadm';
import { afterAll, beforeAll, expect, test } from 'vitest';

const PASSWORD = 'never-to-be-seen';

const folder = mkdtempSync(join(tmpdir(), 'batch-'));
const runs = join(folder, 'runs');
const file = join(folder, 'batch.yaml');
afterAll(() => rmSync(folder, { recursive: true }));

/** A port that nothing listens on. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

beforeAll(async () => {
  const [first, second] = [await closedPort(), await closedPort()];
  writeFileSync(
    file,
    `defaults:
  keadmCmd: version
  ssh: { username: root, auth: { type: password, passwordAuth: { password: env:PW } } }
  retries: { attempts: 1 }
nodes:
  - { nodeName: north, ssh: { ip: 127.0.0.1, port: ${first} } }
  - { nodeName: south, ssh: { ip: 127.0.0.1, port: ${second} } }
`,
  );
  chmodSync(file, 0o600);
});

async function batch(...args: readonly string[]): Promise<{ exitCode: number; out: string; err: string }> {
  const written = { out: '', err: '' };
  const exitCode = await runKeadm(['batch', ...args], {
    version: '1.2.3',
    commit: 'abc',
    commitTime: '2026-01-01T00:00:00Z',
    trustKeys: [],
    executable: process.execPath,
    ownCommand: [process.execPath],
    now: () => new Date(),
    onEvent: () => {},
    variables: { PW: PASSWORD, HOME: folder },
    readInput: async () => '',
    streams: () => {
      throw new Error('this command needs no streams');
    },
    readInputBytes: async () => new Uint8Array(),
    signal: new AbortController().signal,
    secondInterruption: () => new AbortController().signal,
    terminal: { out: (text) => (written.out += text), err: (text) => (written.err += text) },
    loadCloud: async () => Promise.reject(new Error('this command needs no cloud')),
    loadPlatform: openPlatform,
  });
  return { exitCode, ...written };
}

test('a plan looks at all nodes, keeps nothing, and tells by its exit code that some could not be looked at', async () => {
  const { exitCode, out } = await batch('plan', '-c', file);
  expect(exitCode).toBe(101);
  expect(out).toContain('2 nodes: 0 to change, 0 up to date, 2 unreachable');
  const json = await batch('run', '--dry-run', '-c', file, '--output', 'json');
  expect(json.exitCode).toBe(101);
  expect(JSON.parse(json.out)).toMatchObject({
    dryRun: true,
    nodes: [{ fate: 'unreachable' }, { fate: 'unreachable' }],
  });
  expect(readdirSync(folder)).toEqual(['batch.yaml']);
});

test('a wrong command line leaves nothing behind', async () => {
  expect(await batch('-c', file, '--runs', runs, '--program', 'mac-x64=/keadm')).toMatchObject({
    exitCode: 2,
    out: '',
  });
  expect(await batch('-c', file, '--runs', runs, '--only', 'west')).toMatchObject({ exitCode: 2, out: '' });
  expect(readdirSync(folder)).toEqual(['batch.yaml']);
});

test('a run reports its events by the schema, ends with run-ended, and returns how it ended', async () => {
  const { exitCode, out } = await batch('-c', file, '--runs', runs, '--output', 'json');
  const events = out
    .trim()
    .split('\n')
    .map((line) => BatchEvent.parse(JSON.parse(line)));
  expect(exitCode).toBe(101);
  expect(events.at(0)).toMatchObject({ type: 'run-begun', nodes: 2, resumed: false });
  expect(events.at(-1)).toMatchObject({ type: 'run-ended', outcome: 'some-failed', counts: { unreachable: 2 } });
});

test('the run can be looked at, reported, retried and not paused afterwards', async () => {
  const [id = ''] = readdirSync(runs);
  expect((await batch('status', '--runs', runs)).out).toContain(`${id}: some-failed`);
  expect((await batch('report', '--runs', runs)).out).toContain('REMOTE_UNREACHABLE on 2: north, south');
  expect(JSON.parse((await batch('report', '--format', 'json', '--runs', runs)).out)).toMatchObject({
    run: id,
    total: 2,
  });
  expect(await batch('pause', '--runs', runs)).toMatchObject({ exitCode: 103, out: '' });
  expect(await batch('status', 'no-such-run', '--runs', runs)).toMatchObject({ exitCode: 103, out: '' });
  expect(await batch('retry', '--runs', runs)).toMatchObject({ exitCode: 101 });
  expect(readdirSync(runs)).toHaveLength(2);
  expect((await batch('status', '--all', '--runs', runs)).out.split('\n')).toHaveLength(4);
});

test('only nodes that were asked for are gone to', async () => {
  const { err } = await batch('run', '-c', file, '--runs', runs, '--only', 'south');
  expect(err).toContain('[south] unreachable');
  expect(err).not.toContain('[north]');
});

test('what a run leaves is for its owner alone and holds no secret', () => {
  const paths = readdirSync(runs, { recursive: true, encoding: 'utf8' }).map((path) => join(runs, path));
  expect(paths.filter((path) => (statSync(path).mode & 0o077) !== 0)).toEqual([]);
  const files = paths.filter((path) => statSync(path).isFile());
  expect(files.some((path) => path.endsWith('report.html'))).toBe(true);
  expect(files.filter((path) => readFileSync(path, 'utf8').includes(PASSWORD))).toEqual([]);
});

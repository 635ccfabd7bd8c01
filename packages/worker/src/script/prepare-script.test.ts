import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { posixScript } from './prepare-script.ts';

/** In place of keadm: writes down the words it gets and ends with the given code. */
const STAND_IN = '#!/bin/sh\nprintf "%s\\0" "$@" >"$HEARD"\nexit "${CODE:-0}"\n';
const sha256 = createHash('sha256').update(STAND_IN).digest('hex');

let folder: string;
let received: string;
let source: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "print script's-"));
  received = join(folder, 'heard');
  source = join(folder, 'keadm for linux');
  await mkdir(join(folder, 'temporary'));
  await writeFile(source, STAND_IN);
});
afterEach(async () => rm(folder, { recursive: true, force: true }));

async function run(script: string, variables: NodeJS.ProcessEnv = {}): Promise<{ code: unknown; err: string }> {
  const file = join(folder, 'script.sh');
  await writeFile(file, script);
  const env = { PATH: process.env['PATH'], TMPDIR: join(folder, 'temporary'), HEARD: received, ...variables };
  const shell = spawn('sh', [file], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const [err, [code]] = await Promise.all([text(shell.stderr), once(shell, 'close')]);
  return { code, err };
}

async function wordsHeard(): Promise<readonly string[]> {
  return (await readFile(received, 'utf8')).split('\0').slice(0, -1);
}

const WORDS = ['kube', 'prepare', '--from', "it's a folder", '--x', '$(touch pwned) `id` "quoted"', 'two\nlines', ''];

test('the script is one for any shell', async () => {
  const shell = spawn('sh', ['-n'], { stdio: ['pipe', 'ignore', 'inherit'] });
  shell.stdin.end(posixScript({ source, sha256, words: WORDS }));
  const [code] = await once(shell, 'close');
  expect(code).toBe(0);
});

test('keadm gets every word as it was typed, twice in a row, and nothing is left behind', async () => {
  const script = posixScript({ source, sha256, words: WORDS });
  for (const _ of ['first', 'second']) {
    expect(await run(script)).toEqual({ code: 0, err: '' });
    expect(await wordsHeard()).toEqual(WORDS);
    await rm(received);
  }
  expect(await readdir(join(folder, 'temporary'))).toEqual([]);
});

test("keadm's exit code is the script's", async () => {
  expect(await run(posixScript({ source, sha256, words: [] }), { CODE: '4' })).toEqual({ code: 4, err: '' });
});

test('another keadm than the expected one is not run', async () => {
  const { code, err } = await run(posixScript({ source, sha256: 'ab'.repeat(32), words: [] }));
  expect(code).toBe(1);
  expect(err).toBe(`Error: ${source} is not the keadm that this script was made for: its SHA-256 is ${sha256}\n`);
  await expect(readFile(received)).rejects.toMatchObject({ code: 'ENOENT' });
  expect(await readdir(join(folder, 'temporary'))).toEqual([]);
});

test('a keadm that is not there stops the script', async () => {
  const { code, err } = await run(posixScript({ source: join(folder, 'nothing'), sha256, words: [] }));
  expect(code).toBe(1);
  expect(err).toContain(`Error: cannot copy ${join(folder, 'nothing')}`);
});

test('keadm comes from a URL as well', async () => {
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/keadm' ? 200 : 404).end(STAND_IN);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  try {
    expect(await run(posixScript({ source: `http://127.0.0.1:${port}/keadm`, sha256, words: WORDS }))).toEqual({
      code: 0,
      err: '',
    });
    expect(await wordsHeard()).toEqual(WORDS);
    const missing = await run(posixScript({ source: `http://127.0.0.1:${port}/other`, sha256, words: [] }));
    expect(missing).toEqual({ code: 1, err: expect.stringContaining('Error: cannot download') });
  } finally {
    server.close();
  }
});

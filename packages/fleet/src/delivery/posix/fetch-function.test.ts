import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { openPullServer } from '../pull/pull-server.ts';
import { sealFile } from '../pull/sealed-file.ts';
import { openSharedReading } from '../shared-reading.ts';
import { FETCH_TOOLS, fetchFunction, type PullSource } from './fetch-function.ts';

const scratch = mkdtempSync(join(tmpdir(), 'fetch-'));
afterAll(() => rmSync(scratch, { recursive: true }));
const content = randomBytes(3 * 1024 * 1024 + 5);
const file = join(scratch, 'file');
writeFileSync(file, content);
const sealed = await sealFile(file, `${file}.sealed`, { random: randomBytes, reading: openSharedReading() });

/** Fetches as a delivery does, with a script that may be changed first, and leaves nobody behind. */
async function fetched(source: PullSource, change = (script: string) => script) {
  const run = mkdtempSync(join(scratch, 'run-'));
  const script = `run=${run}\n${change(fetchFunction(source, undefined))}\nfetch > "$run/item"`;
  const shell = spawn('/bin/sh', ['-c', script], {
    stdio: ['ignore', 'inherit', 'pipe'],
    env: { PATH: pathFor(source) },
  });
  const [exitCode]: (number | null)[] = await once(shell, 'close');
  await vi.waitFor(() => expect(runningWith(run)).toEqual([]));
  return { exitCode, item: readFileSync(join(run, 'item')) };
}

/** The processes that were started with a word. */
function runningWith(word: string): readonly string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && commandLine(name).includes(word));
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** What fetching takes, and none of the other programs for it. */
function pathFor({ tool }: PullSource): string {
  const folder = mkdtempSync(join(scratch, 'bin-'));
  for (const name of [tool, 'openssl', 'wc']) symlinkSync(`/usr/bin/${name}`, join(folder, name));
  return folder;
}

describe.each(FETCH_TOOLS)('%s', (tool) => {
  test.each(['127.0.0.1', '::1'])('brings what is sealed from %s, and opens it', async (host) => {
    const server = await openPullServer(randomBytes);
    const { port, path } = server.admit(sealed, () => undefined);
    const { exitCode, item } = await fetched({ host, port, path, key: sealed.key, tool });
    expect(exitCode).toBe(0);
    expect(item.equals(content)).toBe(true);
    await server.close();
  });

  test('brings nothing where nobody listens, from nowhere, or if it is not admitted', async () => {
    const server = await openPullServer(randomBytes);
    const pass = server.admit(sealed, () => undefined);
    pass.revoke();
    const { path, port } = pass;
    const places = [
      { host: '127.0.0.1', port: 1 },
      { host: 'fe80::1%lo', port: 1 },
      { host: '127.0.0.1', port },
    ];
    for (const place of places) expect((await fetched({ ...place, path, key: sealed.key, tool })).item).toHaveLength(0);
    await server.close();
  });
});

function impatiently(script: string): string {
  return script.replace('read -r -t 5', 'read -r -t 0.2').replace('read -r -t 30', 'read -r -t 0.4');
}

/** A server that answers with so much of what is sealed, and with the rest after a while, if ever. */
async function slowServer(bytes: number | undefined, restAfterMs?: number) {
  const near: Socket[] = [];
  const server = createServer((socket) => {
    near.push(socket);
    if (bytes === undefined) return;
    const all = readFileSync(`${file}.sealed`);
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    socket.write(all.subarray(0, bytes));
    if (restAfterMs !== undefined) setTimeout(() => socket.end(all.subarray(bytes)), restAfterMs);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const close = (): void => {
    for (const socket of near) socket.destroy();
    server.close();
  };
  return { port: typeof address === 'object' ? (address?.port ?? 0) : 0, near, close };
}

test.each([
  ['says nothing', undefined],
  ['answers and then says nothing', 0],
  ['begins and then says nothing more', 256 * 1024],
])('bash leaves a server that %s', async (_, bytes) => {
  const { port, near, close } = await slowServer(bytes);
  const source = { host: '127.0.0.1', port, path: '/x', key: sealed.key, tool: 'bash' } as const;
  const { exitCode } = await fetched(source, impatiently);
  expect(exitCode).not.toBe(0);
  expect(near).toHaveLength(1);
  close();
});

test('bash waits for a server that has answered and is slow', async () => {
  const { port, close } = await slowServer(100, 300);
  const source = { host: '127.0.0.1', port, path: '/x', key: sealed.key, tool: 'bash' } as const;
  const { exitCode, item } = await fetched(source, impatiently);
  expect(exitCode).toBe(0);
  expect(item.equals(content)).toBe(true);
  close();
});

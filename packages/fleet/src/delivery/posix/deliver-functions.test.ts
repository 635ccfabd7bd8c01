import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openPullListener, type PullListener } from '../pull-listener.ts';
import { fetchFunction, type PullSource } from './deliver-functions.ts';

const scratch = mkdtempSync(join(tmpdir(), 'fetch-'));
const content = randomBytes(3 * 1024 * 1024 + 5);
const load = { name: 'file', path: join(scratch, 'file'), size: content.length, packing: undefined };
writeFileSync(load.path, content);
const listeners: PullListener[] = [];
afterAll(async () => {
  for (const listener of listeners) await listener.close();
  rmSync(scratch, { recursive: true });
});

async function listen(): Promise<PullListener> {
  const listener = await openPullListener({ random: randomBytes, now: () => new Date() });
  listeners.push(listener);
  return listener;
}

/** Fetches as a delivery does, on a machine that has nothing but curl. */
async function fetched(source: PullSource, env: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(scratch, 'bin-'));
  symlinkSync('/usr/bin/curl', join(folder, 'curl'));
  const script = `${fetchFunction(source, undefined)}\nfetch > ${folder}/item`;
  const shell = spawn('/bin/sh', ['-c', script], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...env, PATH: folder },
  });
  const [exitCode]: (number | null)[] = await once(shell, 'close');
  return { exitCode, item: readFileSync(join(folder, 'item')) };
}

test.each(['127.0.0.1', '::1'])('fetches a file from %s, past a proxy', async (host) => {
  const sent: number[] = [];
  const { revoke, ...permission } = (await listen()).permit(load, (bytes) => void sent.push(bytes));
  const { exitCode, item } = await fetched({ ...permission, host }, { https_proxy: 'http://127.0.0.1:1' });
  expect(exitCode).toBe(0);
  expect(item.equals(content)).toBe(true);
  expect(sent.at(-1)).toBe(content.length);
  revoke();
  expect(await fetched({ ...permission, host })).toMatchObject({ exitCode: 22, item: Buffer.alloc(0) });
});

test('fetches nothing from a server with another key', async () => {
  const [real, other] = [await listen(), await listen()];
  const { pin } = real.permit(load, () => undefined);
  const { port, path } = other.permit(load, () => undefined);
  const { exitCode, item } = await fetched({ host: '127.0.0.1', port, path, pin });
  expect(exitCode).toBe(90);
  expect(item).toHaveLength(0);
});

test('fetches nothing where no server listens, or one without TLS', async () => {
  const { path, pin } = (await listen()).permit(load, () => undefined);
  const plain = createServer(
    (socket) => void socket.on('error', () => undefined).end('HTTP/1.0 200 OK\r\n\r\nplain'),
  ).listen(0, '127.0.0.1');
  await once(plain, 'listening');
  const address = plain.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  for (const place of [
    { host: '127.0.0.1', port: 1 },
    { host: 'fe80::1%lo', port: 1 },
    { host: '127.0.0.1', port },
  ]) {
    const { exitCode, item } = await fetched({ ...place, path, pin });
    expect(exitCode).not.toBe(0);
    expect(item).toHaveLength(0);
  }
  plain.close();
});

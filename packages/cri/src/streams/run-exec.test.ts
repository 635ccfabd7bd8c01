import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { runExec } from './run-exec.ts';
import { dataFrame } from './spdy-frames.ts';

/** Streams in the order in which they are opened by a command without an input. */
const [ERRORS, STDOUT] = [1, 3];
const SUCCESS = Buffer.from(JSON.stringify({ status: 'Success' }));
const { signal } = new AbortController();
const ignore = async (): Promise<void> => undefined;

/** The address of a command, and its connection once it was made. */
async function startCommand(): Promise<{ readonly url: string; readonly connected: Promise<Socket> }> {
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<Socket>();
  server.on('upgrade', (_request, socket: Socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n');
    socket.on('error', () => undefined).on('end', () => socket.destroy());
    socket.resume();
    resolve(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { url: `http://127.0.0.1:${port}/exec`, connected: promise };
}

test('output passes through until the command ends', async () => {
  const { url, connected } = await startCommand();
  const pieces: Buffer[] = [];
  const stdout = async (bytes: Buffer) => void pieces.push(bytes);
  const exitCode = runExec(url, { stdout, stderr: ignore }, signal);
  const socket = await connected;
  socket.write(dataFrame(STDOUT, Buffer.from('text'), false));
  socket.write(dataFrame(ERRORS, SUCCESS, true));
  expect([await exitCode, Buffer.concat(pieces).toString()]).toEqual([0, 'text']);
});

test('an output that fails ends a command that goes on, and its connection', async () => {
  const { url, connected } = await startCommand();
  const failure = new Error('closed');
  const run = runExec(url, { stdout: async () => Promise.reject(failure), stderr: ignore }, signal);
  const socket = await connected;
  const closed = new Promise((resolve) => void socket.once('close', resolve));
  socket.write(dataFrame(STDOUT, Buffer.from('text'), false));
  await expect(run).rejects.toBe(failure);
  await closed;
});

test('a connection that is lost is not taken for success', async () => {
  const { url, connected } = await startCommand();
  const run = runExec(url, { stdout: ignore, stderr: ignore }, signal);
  (await connected).destroy();
  await expect(run).rejects.toThrow('the connection to the container runtime was lost');
});

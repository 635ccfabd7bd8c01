import { execFile } from 'node:child_process';
import { once } from 'node:events';
import type { ServerHttp2Stream } from 'node:http2';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { socketPathOf } from '../endpoint.ts';
import { startTestServer, type TestServer } from '../testing/test-runtime.ts';
import { type GrpcChannel, openGrpcChannel } from './channel.ts';
import { frameMessage } from './frames.ts';

const { signal } = new AbortController();
const GRPC = { ':status': 200, 'content-type': 'application/grpc' };
const METHOD = 'package.Service/Method';
const CANCEL = 8;

const open: (TestServer & { readonly channel: GrpcChannel })[] = [];
afterEach(async () => {
  for (const { channel, ...server } of open.splice(0)) {
    channel.close();
    await server[Symbol.asyncDispose]();
  }
});

/** A server, and a channel to it. */
async function serve(onStream: (stream: ServerHttp2Stream) => void): Promise<(typeof open)[number]> {
  const server = await startTestServer((stream) => {
    stream.resume();
    onStream(stream);
  });
  const served = { ...server, channel: openGrpcChannel({ path: socketPathOf(server.endpoint) }) };
  open.push(served);
  return served;
}

async function callTo(onStream: (stream: ServerHttp2Stream) => void): Promise<unknown> {
  const { channel } = await serve(onStream);
  return channel.call(METHOD, Buffer.from('question'), signal).catch((error: unknown) => error);
}

function answer(stream: ServerHttp2Stream, body: Uint8Array, trailers: Readonly<Record<string, string>>): void {
  stream.respond(GRPC, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers(trailers));
  stream.end(body);
}

const ok = (stream: ServerHttp2Stream): void =>
  answer(stream, frameMessage(Buffer.from('answer')), { 'grpc-status': '0' });
const streamOf = (stream: ServerHttp2Stream, texts: readonly string[]): void =>
  answer(stream, Buffer.concat(texts.map((text) => frameMessage(Buffer.from(text)))), { 'grpc-status': '0' });

test('the message of an answer is returned', async () => {
  expect(String(await callTo(ok))).toBe('answer');
});

test.each([
  ['in trailers', (stream: ServerHttp2Stream) => answer(stream, Buffer.alloc(0), REFUSAL)],
  ['in the first headers', (stream: ServerHttp2Stream) => stream.respond({ ...GRPC, ...REFUSAL }, { endStream: true })],
])('a refusal %s has its status and its text', async (_, refuse) => {
  expect(await callTo(refuse)).toMatchObject({ name: 'GrpcFailure', status: 5, message: 'kein ü, 100%' });
});
const REFUSAL = { 'grpc-status': '5', 'grpc-message': 'kein %C3%BC, 100%25' };

test('a text that is encoded wrongly is passed on as it is', async () => {
  const refusal = { 'grpc-status': '2', 'grpc-message': '100% of it' };
  expect(await callTo((stream) => answer(stream, Buffer.alloc(0), refusal))).toMatchObject({ message: '100% of it' });
});

test.each([
  ['without a status', (stream: ServerHttp2Stream) => answer(stream, frameMessage(Buffer.from('answer')), {})],
  ['by a reset', (stream: ServerHttp2Stream) => stream.close(2)],
  ['in the middle of a message', breakInTheMiddle],
  ['with the connection, before it began', (stream: ServerHttp2Stream) => stream.session?.destroy()],
])('an answer that ends %s is a lost connection', async (_, end) => {
  expect(await callTo(end)).toMatchObject({ name: 'ConnectionLost' });
});

function breakInTheMiddle(stream: ServerHttp2Stream): void {
  stream.respond(GRPC);
  stream.write(Buffer.from(frameMessage(Buffer.from('answer'))).subarray(0, 7), () => stream.session?.destroy());
}

test.each([
  ['another content type', (stream: ServerHttp2Stream) => html(stream)],
  ['two messages', (stream: ServerHttp2Stream) => streamOf(stream, ['one', 'two'])],
  ['no message', (stream: ServerHttp2Stream) => streamOf(stream, [])],
])('an answer with %s is not gRPC', async (_, give) => {
  expect(await callTo(give)).toMatchObject({ name: 'NotGrpc' });
});

function html(stream: ServerHttp2Stream): void {
  stream.respond({ ':status': 404, 'content-type': 'text/html' });
  stream.end('<p>');
}

test('after a lost connection the next call makes a new one', async () => {
  const server = await serve(ok);
  const { channel } = server;
  await channel.call(METHOD, Buffer.alloc(0), signal);
  server.hangUp();
  const isUp = async (): Promise<string> => String(await channel.call(METHOD, Buffer.alloc(0), signal).catch(() => ''));
  await expect.poll(isUp).toBe('answer');
});

test('after the server asked for no more requests the next call makes a new connection', async () => {
  const sessions = new Set<unknown>();
  const { channel } = await serve((stream) => {
    sessions.add(stream.session);
    stream.session?.goaway();
    ok(stream);
  });
  for (let call = 0; call < 3; call++)
    expect(String(await channel.call(METHOD, Buffer.alloc(0), signal))).toBe('answer');
  expect(sessions.size).toBe(3);
});

test('a call that is given up resets its stream, and leaves the others', async () => {
  const streams: ServerHttp2Stream[] = [];
  const { channel } = await serve((stream) => streams.push(stream));
  const controller = new AbortController();
  const abandoned = channel.call(METHOD, Buffer.alloc(0), controller.signal);
  const waiting = channel.call(METHOD, Buffer.alloc(0), signal);
  await expect.poll(() => streams).toHaveLength(2);
  const [first, second] = streams;
  if (first === undefined || second === undefined) throw new Error('There are no streams');
  const closed = once(first, 'close');
  controller.abort();
  await expect(abandoned).rejects.toMatchObject({ code: 'INTERRUPTED' });
  await closed;
  expect(first.rstCode).toBe(CANCEL);
  ok(second);
  expect(String(await waiting)).toBe('answer');
});

test('messages of a stream arrive as they are sent, and a reader that leaves off ends the stream', async () => {
  let server: ServerHttp2Stream | undefined;
  const { channel } = await serve((stream) => {
    server = stream;
    stream.respond(GRPC);
    stream.write(frameMessage(Buffer.from('first')));
  });
  const read: string[] = [];
  for await (const message of channel.stream(METHOD, Buffer.alloc(0), signal)) {
    read.push(String(message));
    if (read.length === 2) break;
    server?.write(frameMessage(Buffer.from('second')));
  }
  expect(read).toEqual(['first', 'second']);
  await expect.poll(() => server?.destroyed).toBe(true);
});

test('an answer of 16 MiB arrives whole', async () => {
  const bytes = Buffer.alloc(16 * 1024 * 1024, 'x');
  const received = await callTo((stream) => answer(stream, frameMessage(bytes), { 'grpc-status': '0' }));
  expect(received instanceof Uint8Array && Buffer.compare(received, bytes)).toBe(0);
});

test('many calls at once are answered over one connection', async () => {
  const sessions = new Set<unknown>();
  const { channel } = await serve((stream) => {
    sessions.add(stream.session);
    ok(stream);
  });
  const calls = Array.from({ length: 200 }, async () => channel.call(METHOD, Buffer.alloc(0), signal));
  expect(new Set((await Promise.all(calls)).map(String))).toEqual(new Set(['answer']));
  expect(sessions.size).toBe(1);
});

test('a program ends by itself though its channel is open, but not before its call has been answered', async () => {
  const { endpoint } = await serve((stream) => setTimeout(() => ok(stream), 300));
  const program = `
    const { openGrpcChannel } = await import(${JSON.stringify(join(import.meta.dirname, 'channel.ts'))});
    const channel = openGrpcChannel({ path: ${JSON.stringify(socketPathOf(endpoint))} });
    channel.call('a.B/C', Buffer.alloc(0), new AbortController().signal).then((answer) => console.log(String(answer)));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  expect(stdout).toBe('answer\n');
});

test('closing a channel ends the calls under way', async () => {
  const { channel } = await serve(() => undefined);
  const call = channel.call(METHOD, Buffer.alloc(0), signal);
  setTimeout(() => channel.close(), 50);
  await expect(call).rejects.toMatchObject({ name: 'ConnectionLost' });
});

import { newMessage, type Message } from '@fenestra/contracts';
import { connect } from 'node:tls';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { nodeCredentials, testAuthority, testHub, type NodeCredentials, type TestHub } from '../testing/test-cloud.ts';
import { connectNode, type TestNode } from '../testing/test-node.ts';

const MEBIBYTE = 1024 * 1024;
const HUNDRED_MEGABYTES = 100_000_000;
/** A WebSocket frame from a client: text, masked. */
const FINAL_TEXT = 0x81;
const MASKED_64_BIT_LENGTH = 0x80 | 127;

let hub: TestHub;
let credentials: NodeCredentials;

beforeAll(async () => {
  const authority = await testAuthority();
  credentials = await nodeCredentials(authority, 'node-one');
  hub = await testHub(authority);
});
afterAll(async () => hub.close());

test('a frame that announces 100 MB is refused before any of it is read', async () => {
  const node = await connectNode(hub.port, credentials);
  const header = Buffer.alloc(14);
  header.writeUInt8(FINAL_TEXT, 0);
  header.writeUInt8(MASKED_64_BIT_LENGTH, 1);
  header.writeBigUInt64BE(BigInt(HUNDRED_MEGABYTES), 2);
  writeRaw(node, header);
  expect((await node.closed).code).toBe(1009);
  await expectServing();
});

test('100 MB in pieces that are each small enough are refused when the limit is passed', async () => {
  const node = await connectNode(hub.port, credentials);
  const piece = Buffer.alloc(4 * MEBIBYTE, 32);
  let sent = 0;
  while (sent < HUNDRED_MEGABYTES && node.socket.readyState === node.socket.OPEN) {
    await new Promise<void>((resolve) => node.socket.send(piece, { fin: false, binary: false }, () => resolve()));
    sent += piece.length;
  }
  expect((await node.closed).code).toBe(1009);
  await expectServing();
});

test('a connection that is cut in the middle of a frame tells no one anything and leaves nothing behind', async () => {
  const received = vi.fn<(node: string, message: Message) => void>();
  const unsubscribe = hub.hub.sessions.onMessage(received);
  const node = await connectNode(hub.port, credentials);
  await vi.waitFor(() => expect(hub.hub.sessions.nodes()).toEqual(['node-one']));
  // Announces 100 bytes and brings three.
  writeRaw(node, Buffer.from([FINAL_TEXT, 0x80 | 100, 0, 0, 0, 0, 0x7b, 0x22, 0x68]));
  node.socket.terminate();
  await vi.waitFor(() => expect(hub.hub.sessions.nodes()).toEqual([]));
  expect(received).not.toHaveBeenCalled();
  unsubscribe();
  await expectServing();
});

test('a handshake that is cut off, or is none at all, does not affect others', async () => {
  const { ca, cert, key } = credentials;
  for (const beginning of ['GET /x/node-one/events HTTP/1.1\r\nUpgrade: webso', '\u0000\u0001\u0002']) {
    const socket = connect({ host: '127.0.0.1', port: hub.port, ca, cert, key });
    socket.on('error', () => undefined);
    await new Promise<void>((resolve) => socket.write(beginning, () => resolve()));
    socket.destroy();
  }
  await expectServing();
});

/** Bytes past the WebSocket library, which would not send such a thing. */
function writeRaw({ socket }: TestNode, bytes: Buffer): void {
  // The library's own name for the connection below it.
  const below: unknown = Reflect.get(socket, '_socket');
  if (typeof below !== 'object' || below === null || !('write' in below) || typeof below.write !== 'function') {
    throw new Error('The WebSocket library has no "_socket" any more');
  }
  below.write(bytes);
}

/** The same node can come back at once and is heard. */
async function expectServing(): Promise<void> {
  const received = vi.fn<(node: string, message: Message) => void>();
  const unsubscribe = hub.hub.sessions.onMessage(received);
  const node = await connectNode(hub.port, credentials);
  node.send(newMessage({ source: 'edged', group: 'resource', operation: 'update', resource: 'default/podstatus/p' }));
  await vi.waitFor(() => expect(received).toHaveBeenCalledOnce());
  unsubscribe();
  node.socket.terminate();
  await vi.waitFor(() => expect(hub.hub.sessions.nodes()).toEqual([]));
}

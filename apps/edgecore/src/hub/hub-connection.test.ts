import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { Duplex } from 'node:stream';
import { silentLogger } from '@fenestra/platform';
import { afterEach, expect, test } from 'vitest';
import { makeAuthority } from '../testing/authority.ts';
import { openHubConnection } from './hub-connection.ts';

const servers: Server[] = [];
const NEVER = new AbortController().signal;

afterEach(() => {
  for (const server of servers.splice(0)) server.closeAllConnections();
});

/** Tries to connect to a hub that does something else than to accept the connection. */
async function connectTo(answer: (socket: Duplex) => void): Promise<unknown> {
  const authority = await makeAuthority();
  const { certificate, key } = await authority.serve([{ type: 'ip', value: '127.0.0.1' }]);
  const server = createServer({ cert: certificate, key }).on('upgrade', (_request, socket) => answer(socket));
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const pace = { heartbeatMs: 1_000, writeDeadlineMs: 1_000, messagesPerSecond: 30, messageBurst: 60 };
  const identity = { nodeName: 'edge-1', projectId: 'p', ca: authority.pem, certificate, key };
  const options = { ...pace, ...identity, server: `127.0.0.1:${port}`, handshakeTimeoutMs: 300, log: silentLogger() };
  return openHubConnection(options, () => {}, NEVER);
}

/** Sends the text, and then a byte now and then without an end. */
function trickle(socket: Duplex, text: string): void {
  socket.on('error', () => {});
  socket.write(text);
  const timer = setInterval(() => socket.write('.'), 50);
  socket.on('close', () => clearInterval(timer));
}

test('a cloud that never finishes its refusal does not keep the node from trying again', async () => {
  const refused = connectTo((socket) => trickle(socket, 'HTTP/1.1 403 Forbidden\r\n\r\nthe certificate is revoked'));
  await expect(refused).rejects.toMatchObject({
    code: 'CERTIFICATE_REJECTED',
    message: expect.stringMatching(/403, the certificate is revoked\.+$/),
  });
});

test('a cloud that breaks its refusal off is quoted as far as it came', async () => {
  const refused = connectTo((socket) => {
    socket.write('HTTP/1.1 403 Forbidden\r\nContent-Length: 100\r\n\r\nthe certificate');
    setTimeout(() => socket.destroy(), 50);
  });
  await expect(refused).rejects.toMatchObject({ message: expect.stringMatching(/403, the certificate$/) });
});

test('a cloud that never finishes the head of its answer is given up', async () => {
  const refused = connectTo((socket) => trickle(socket, 'HTTP/1.1 101 '));
  await expect(refused).rejects.toMatchObject({ code: 'HUB_UNREACHABLE' });
});

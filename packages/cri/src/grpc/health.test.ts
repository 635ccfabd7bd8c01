import { once } from 'node:events';
import { createServer } from 'node:http2';
import { expect, test } from 'vitest';
import { GRPC_STATUS, GrpcFailure } from './failure.ts';
import { frameMessage } from './frames.ts';
import { checkHealth } from './health.ts';

const { signal } = new AbortController();

/** Serves on a port, and returns what came of a check with the bytes it received. */
async function checkAgainst(service: string, answer: Uint8Array | number): Promise<unknown> {
  const received: Buffer[] = [];
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => received.push(chunk));
    request.on('end', () => {
      response.setHeader('content-type', 'application/grpc');
      if (typeof answer === 'number') {
        response.setHeader('grpc-status', String(answer));
        response.end();
        return;
      }
      response.addTrailers({ 'grpc-status': '0' });
      response.end(frameMessage(answer));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  try {
    return [
      await checkHealth({ host: '127.0.0.1', port: address.port }, service, signal).catch((error: unknown) => error),
      Buffer.concat(received).subarray(5).toString(),
    ];
  } finally {
    server.close();
  }
}

test.each([
  ['SERVING', [0x08, 1], true],
  ['NOT_SERVING', [0x08, 2], false],
  ['nothing, so UNKNOWN', [], false],
  ['SERVING after a field of a later version', [0x12, 1, 65, 0x08, 1], true],
])('an answer with %s', async (_, bytes, serves) => {
  expect(await checkAgainst('', Buffer.from(bytes))).toEqual([serves, '']);
});

test('the name of the service is sent', async () => {
  expect(await checkAgainst('shop.Basket', Buffer.from([0x08, 1]))).toEqual([true, '\n\vshop.Basket']);
});

test('a server without the health service fails the call', async () => {
  expect(await checkAgainst('', GRPC_STATUS.UNIMPLEMENTED)).toEqual([expect.any(GrpcFailure), '']);
});

import { once } from 'node:events';
import { createServer } from 'node:https';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { testAuthority } from '../testing/test-cloud.ts';
import { listen } from './listen.ts';

test('a server closes at once, though someone connected and never said a word', async () => {
  const { certificate } = await testAuthority();
  const server = createServer({ cert: certificate.cert, key: certificate.key });
  const listening = await listen(server, '127.0.0.1', 0);
  const silent = connect(listening.port, '127.0.0.1');
  silent.on('error', () => {});
  const gone = once(silent, 'close');
  await Promise.all([once(silent, 'connect'), once(server, 'connection')]);
  await listening.close();
  await gone;
  expect(silent.destroyed).toBe(true);
});

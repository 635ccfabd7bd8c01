import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { addressKey, limitConnections } from './connection-limits.ts';

test.each([
  ['10.0.0.5', '10.0.0.5'],
  ['::ffff:10.0.0.5', '10.0.0.5'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
  ['2001:db8:0001:0002:ffff::', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['', ''],
])('addressKey(%j) is %j', (address, key) => {
  expect(addressKey(address)).toBe(key);
});

test('of one key the oldest connections are closed, and one that is counted no longer stays', async () => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const limited = limitConnections({ perKey: 2, total: 3 });
  const accepted: Socket[] = [];
  const accept = async (key: string): Promise<Socket> => {
    connect(portOf(server), '127.0.0.1')
      .on('error', () => undefined)
      .resume();
    const [socket]: Socket[] = await once(server, 'connection');
    if (socket === undefined) throw new Error('no connection');
    limited.add(key, socket);
    limited.add(key, socket);
    accepted.push(socket);
    return socket;
  };
  const free = await accept('a');
  limited.remove('a', free);
  const [first, second] = [await accept('a'), await accept('a')];
  const third = await accept('a');
  expect([free, first, second, third].map(({ destroyed }) => destroyed)).toEqual([false, true, false, false]);
  const other = await accept('b');
  await accept('b');
  expect([second, third, other].map(({ destroyed }) => destroyed)).toEqual([true, false, false]);
  for (const socket of accepted) socket.destroy();
  server.close();
});

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

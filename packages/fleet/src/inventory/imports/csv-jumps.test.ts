import { expect, test } from 'vitest';
import { parseBatch } from '../load-batch.ts';
import { importCsv } from './csv-import.ts';
import { importedText } from './import-inventory.ts';

/** What a table becomes: the content, and the file as it would be read again. */
async function imported(table: string) {
  const inventory = importCsv(table, 'nodes.csv');
  const source = { text: importedText(inventory, 'reset'), path: 'nodes.yaml', readableByOthers: false };
  return { ...inventory, batch: await parseBatch(source, { variables: { SSH_AUTH_SOCK: '/agent' } }) };
}

test('every machine on the way is among the jumps, and the file is valid', async () => {
  const { content, remarks, batch } = await imported(
    `name,ip,user,jump
a,10.0.0.1,root,gate.example.com
b,10.0.0.2,root,gate.example.com
c,10.0.0.3,root,admin@gate.example.com:2222 [2001:db8::7]:22
d,10.0.0.4,root,"2001:db8::8,inner"
`,
  );
  expect(content.jumps).toEqual({
    'gate.example.com': { ip: 'gate.example.com', username: 'root' },
    'admin-gate.example.com-2222': { ip: 'gate.example.com', username: 'admin', port: 2222 },
    '2001-db8-7-22': { ip: '[2001:db8::7]', username: 'root', port: 22 },
    '2001-db8-8': { ip: '2001:db8::8', username: 'root' },
    inner: { ip: 'inner', username: 'root' },
  });
  expect(content.nodes.map(({ ssh }) => ssh?.jump)).toEqual([
    ['gate.example.com'],
    ['gate.example.com'],
    ['admin-gate.example.com-2222', '2001-db8-7-22'],
    ['2001-db8-8', 'inner'],
  ]);
  expect(remarks).toEqual(['The jump host "inner" is reached by that name: put its address under "jumps"']);
  const target = await batch.nodes[2]?.target(new AbortController().signal);
  expect(target?.jumps.map(({ host, port, user }) => [host, port, user])).toEqual([
    ['gate.example.com', 2222, 'admin'],
    ['2001:db8::7', 22, 'root'],
  ]);
});

test('a machine with a separate row is reached as that row says', async () => {
  const { content, remarks, batch } = await imported(
    'name,ip,port,user,password,jump\ngate,192.0.2.1,2200,hop,env:HOP,\na,10.0.0.1,,root,env:ROOT,gate\n',
  );
  expect(content.jumps).toEqual({
    gate: {
      ip: '192.0.2.1',
      port: 2200,
      username: 'hop',
      auth: { type: 'password', passwordAuth: { password: 'env:HOP' } },
    },
  });
  expect([remarks, batch.nodes.length]).toEqual([[], 2]);
});

test('a machine on the way that is itself behind another one is reached through that', async () => {
  const { content } = await imported(
    'name,ip,user,jump\ngate,192.0.2.1,hop,\na,10.0.0.1,root,gate\nb,10.1.0.1,root,a\nc,10.1.0.2,root,c\n',
  );
  expect(content.nodes.map(({ ssh }) => ssh?.jump)).toEqual([undefined, ['gate'], ['gate', 'a'], ['c']]);
});

test('equal names get numbers, and an unknown account is noted', async () => {
  const { content, remarks } = importCsv('ip,user,jump\nh1,u,a@b.c\nh2,u,a-b.c\nh3,v,a-b.c', 'nodes.csv');
  expect(content.jumps).toEqual({
    'a-b.c': { ip: 'b.c', username: 'a' },
    'a-b.c-2': { ip: 'a-b.c', username: undefined },
  });
  expect(remarks).toEqual(['The jump host "a-b.c" has no account: put one under "jumps"']);
});

test.each(['gate:0', 'a@b@c', '[::1', 'gate:ssh'])('"%s" is not a jump host', (jump) => {
  expect(() => importCsv(`ip,jump\nh,${jump}`, 'nodes.csv')).toThrow(
    'nodes.csv:2 has a jump host that is not written like "user@host:port"',
  );
});

import { expect, test } from 'vitest';
import { choosePacking } from './loads.ts';

const HERE = { host: '127.0.0.1', jumps: [] };
const JUMP = { name: 'jump', host: 'jump', port: 22, user: 'u', auth: [], hostKeys: [], jumps: [] };
const LIMITS = { transport: 'library', limits: { connectSeconds: 5, idleTimeoutSeconds: 30 } } as const;
const BOTH = 'curl zstd gzip';

test.each([
  ['a network is in between', 'auto', { host: '192.0.2.7', jumps: [] }, '192.0.2.1', BOTH, 'zstd'],
  ['it has gzip alone', 'auto', { host: '192.0.2.7', jumps: [] }, '192.0.2.1', 'curl gzip', 'gzip'],
  ['it can unpack nothing', 'always', { host: '192.0.2.7', jumps: [] }, '192.0.2.1', 'curl', undefined],
  ['it is this machine', 'auto', HERE, '127.0.0.1', BOTH, undefined],
  ['it is this machine by name', 'auto', { host: 'localhost', jumps: [] }, '::1', BOTH, undefined],
  [
    'it is at the far end of a tunnel that begins elsewhere',
    'auto',
    { host: 'hub', jumps: [] },
    '127.0.0.1',
    BOTH,
    'zstd',
  ],
  ['a tunnel begins here', 'auto', HERE, '10.0.0.4', BOTH, 'zstd'],
  ['it does not say where it sees us', 'auto', HERE, '', BOTH, 'zstd'],
  ['another machine is in between', 'auto', { ...HERE, jumps: [{ ...JUMP, ...LIMITS }] }, '127.0.0.1', BOTH, 'zstd'],
  ['this machine, but always', 'always', HERE, '127.0.0.1', BOTH, 'zstd'],
  ['a network is in between, but never', 'never', { host: 'edge', jumps: [] }, '192.0.2.1', BOTH, undefined],
] as const)('%s', (_, compress, target, ownAddress, tools, packing) => {
  expect(choosePacking(compress, target, { tools, ownAddress })).toBe(packing);
});

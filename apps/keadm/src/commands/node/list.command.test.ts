import { expect, test } from 'vitest';
import { nodeListText, trustedNodes } from './list.command.ts';

const node = { name: 'edge-1', ready: 'True', reason: '', version: 'v0.1.0', os: 'Debian' } as const;
const revocation = { id: 'a', revokedAt: '2026-01-02T03:04:05.000Z', acceptedKeys: [] };

test('the list shows nodes, revoked nodes without a Node object, and those that were admitted again', () => {
  const revocations = new Map([
    ['edge-0', { ...revocation, reason: 'stolen' }],
    ['edge-1', { ...revocation, acceptedKeys: ['key'] }],
  ]);
  expect(nodeListText(trustedNodes([{ ...node, name: 'edge-2', ready: 'False' }, node], revocations))).toBe(
    [
      'NAME    STATUS    VERSION  TRUST',
      'edge-0  absent    -        revoked 2026-01-02T03:04:05.000Z: stolen',
      'edge-1  Ready     v0.1.0   re-admitted, revoked 2026-01-02T03:04:05.000Z',
      'edge-2  NotReady  v0.1.0   trusted',
    ].join('\n'),
  );
  expect(nodeListText([])).toBe('No nodes');
});

test('what a node or an operator has written cannot forge rows', () => {
  const forged = 'v1\n\u001b[2Kedge-2  Ready     v0.1.0   trusted';
  const revocations = new Map([['edge-3', { ...revocation, reason: forged }]]);
  const lines = nodeListText(trustedNodes([{ ...node, version: forged }], revocations)).split('\n');
  expect(lines.map((line) => line.split(' ')[0])).toEqual(['NAME', 'edge-1', 'edge-3']);
  expect(lines.join('')).not.toContain('\u001b');
});

test('the keys that the cloud accepts are not in the list', () => {
  const listed = trustedNodes([node], new Map([['edge-1', { ...revocation, acceptedKeys: ['key'] }]]));
  expect(JSON.stringify(listed)).not.toContain('"key"');
});

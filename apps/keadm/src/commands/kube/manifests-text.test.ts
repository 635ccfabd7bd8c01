import { expect, test } from 'vitest';
import { appliedText, nodesAddress } from './manifests-text.ts';

test.each([
  ['https://10.0.0.5:6443', '10.0.0.5:6443'],
  ['https://api.example', 'api.example:443'],
  ['https://[fd00::1]:6443', '[fd00::1]:6443'],
])('nodes reach "%s" at "%s"', (server, address) => {
  expect(nodesAddress(server)).toBe(address);
});

test.each(['https://127.0.0.1:6443', 'https://localhost:6443', 'https://[::1]:6443', 'http://10.0.0.5:8080'])(
  'nodes are not told "%s"',
  (server) => {
    expect(() => nodesAddress(server)).toThrow(expect.objectContaining({ code: 'USAGE' }));
  },
);

test('what was done is said object by object, and counted', () => {
  const changes = [
    { action: 'created', kind: 'Namespace', name: 'n' },
    { action: 'unchanged', kind: 'ConfigMap', name: 'c', namespace: 'n' },
  ] as const;
  expect(appliedText(changes, false)).toBe('created    Namespace n\nunchanged  ConfigMap n/c\n1 of 2 objects changed');
  expect(appliedText(changes, true)).toContain('nothing was changed');
});

import { expect, test } from 'vitest';
import { nodeNameIn } from './worker-identity.ts';

test("the node's name is in the subject of its certificate", () => {
  expect(nodeNameIn('O=system:nodes\nCN=system:node:worker-1')).toBe('worker-1');
});

test('a certificate of someone else names no node', () => {
  expect(nodeNameIn('CN=kubernetes-admin')).toBeUndefined();
  expect(nodeNameIn('')).toBeUndefined();
});

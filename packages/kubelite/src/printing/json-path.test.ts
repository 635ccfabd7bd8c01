import { expect, test } from 'vitest';
import { compileJsonPath } from './json-path.ts';

const OBJECT = {
  spec: { color: 'red', 'odd.key': 1, ports: [{ port: 80 }, { port: 443 }] },
  status: {
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'Other', status: 'False' },
    ],
  },
};

test.each([
  ['.spec.color', ['red']],
  ['$.spec.color', ['red']],
  ["{.spec['odd.key']}", [1]],
  ['.spec.odd\\.key', [1]],
  ['.spec.ports[1].port', [443]],
  ['.spec.ports[*].port', [80, 443]],
  ['.status.conditions[?(@.type=="Ready")].status', ['True']],
  ["..status.conditions[?(@.type=='Ready')]", undefined],
  ['.spec.absent.deeper', []],
])('the path %s finds what it names', (path, found) => {
  expect(compileJsonPath(path)?.(OBJECT)).toEqual(found);
});

test.each(['', 'spec', '.spec[', '.spec[?(@.a>1)]'])('the path "%s" is refused', (path) => {
  expect(compileJsonPath(path)).toBeUndefined();
});

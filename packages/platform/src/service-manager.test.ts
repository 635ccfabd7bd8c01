import { expect, test } from 'vitest';
import { requireServiceName } from './service-manager.ts';

test.each(['edgecore', 'Edge_Core-2', 'a'.repeat(64)])('requireServiceName accepts "%s"', (name) => {
  expect(() => requireServiceName(name)).not.toThrow();
});

test.each(['', '..', 'a/b', 'a\\b', 'a b', '-a', 'a.service', 'a"', 'é', 'a'.repeat(65), 'a\n'])(
  'requireServiceName refuses "%s"',
  (name) => {
    expect(() => requireServiceName(name)).toThrow(/Cannot use/);
  },
);

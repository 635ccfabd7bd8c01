import { expect, test } from 'vitest';
import { evictionVersion } from './eviction-version.ts';

test.each([
  ['v1.20.2', 'policy/v1beta1'],
  ['v1.21.14-gke.2700', 'policy/v1beta1'],
  ['v1.22.0', 'policy/v1'],
  ['v1.33.1+k3s1', 'policy/v1'],
  ['v2.0.0', 'policy/v1'],
  ['whatever', 'policy/v1'],
])('a server of version %s takes evictions of %s', (version, expected) => {
  expect(evictionVersion(version)).toBe(expected);
});

import { expect, test } from 'vitest';
import { compareVersions } from './groups.ts';

test('versions are ordered by stability, then by number, and odd names come last', () => {
  const versions = ['foo10', 'v1alpha1', 'v1', 'v3beta1', 'v12alpha1', 'v11beta2', 'v10', 'foo1', 'v2'];
  expect(versions.toSorted(compareVersions)).toEqual([
    'v10',
    'v2',
    'v1',
    'v11beta2',
    'v3beta1',
    'v12alpha1',
    'v1alpha1',
    'foo1',
    'foo10',
  ]);
});

import { expect, test } from 'vitest';
import { laterVersion } from './versions.ts';

test('laterVersion counts minor versions on', () => {
  expect([laterVersion(1, '0.1.0'), laterVersion(2, '1.9.7-beta.1')]).toEqual(['0.2.0', '1.11.0']);
});

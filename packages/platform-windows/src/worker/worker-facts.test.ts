import { expect, test } from 'vitest';
import { featureIsOn } from './worker-facts.ts';

test.each([
  [1, true, true],
  [0, true, false],
  [undefined, true, undefined],
  [undefined, false, false],
])('with install state %s and a Host Compute Service: %s, containers are on: %s', (state, service, on) => {
  expect(featureIsOn(state, service)).toBe(on);
});

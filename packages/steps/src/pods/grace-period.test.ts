import { expect, test } from 'vitest';
import { gracePeriodOf } from './grace-period.ts';

const TERMINATION = 'io.kubernetes.pod.terminationGracePeriod';
const DELETION = 'io.kubernetes.pod.deletionGracePeriod';

test.each([
  [[{}], 30],
  [[{ [TERMINATION]: '120' }], 120],
  [[{ [TERMINATION]: '120', [DELETION]: '5' }], 5],
  [[{ [TERMINATION]: '0' }], 0],
  [[{ [TERMINATION]: 'soon' }], 30],
  [[{ [TERMINATION]: '40' }, { [TERMINATION]: '50' }], 50],
  [[], 0],
])('gracePeriodOf containers with %j is %i s', (annotations, seconds) => {
  expect(gracePeriodOf(annotations.map((each) => ({ annotations: each })))).toBe(seconds);
});

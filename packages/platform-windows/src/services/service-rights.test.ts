import { expect, test } from 'vitest';
import { SERVICE_SDDL, hasServiceRights } from './service-rights.ts';

test('the rights of services are distinguished from the file rights that look alike', () => {
  expect(hasServiceRights('D:P(A;;FA;;;SY)(A;;FA;;;BA)')).toBe(false);
});

test('the same rights in another order are the same', () => {
  const [head = '', ...entries] = SERVICE_SDDL.split(/(?=\()/);
  expect(hasServiceRights(head + entries.toReversed().join(''))).toBe(true);
});

test('an empty list means that the system keeps none', () => {
  expect(hasServiceRights('D:')).toBeUndefined();
});

import { expect, test } from 'vitest';
import { withoutOptions } from './script-words.ts';

test('options are left out with their values, in both spellings', () => {
  const words = ['kube', 'prepare', '--print-script', 'sh', '--from', '/k', '--keadm=/x', '--keadm-sha256', 'ab'];
  expect(withoutOptions(words, ['--print-script', '--keadm', '--keadm-sha256'])).toEqual([
    'kube',
    'prepare',
    '--from',
    '/k',
  ]);
});

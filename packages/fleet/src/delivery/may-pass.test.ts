import { ERROR_CODES } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import { mayPass } from './may-pass.ts';

test('what another one stands in the way of may pass, and nothing else', () => {
  expect(Object.keys(ERROR_CODES).filter((code) => mayPass({ code }))).toEqual([
    'NODE_LOCKED',
    'FILE_IN_USE',
    'HUB_UNREACHABLE',
    'API_UNREACHABLE',
    'API_FAILED',
    'DOWNLOAD_FAILED',
  ]);
});

test('a file that the server says it does not have is not asked for again', () => {
  expect(mayPass({ code: 'DOWNLOAD_FAILED', details: { status: 404 } })).toBe(false);
});

test('a certificate that is not believed will not be believed a moment later', () => {
  expect(mayPass({ code: 'DOWNLOAD_FAILED', details: { certificate: true } })).toBe(false);
});

test('a code that only another version of keadm knows says nothing', () => {
  expect(mayPass({ code: 'SOMETHING_NEW' })).toBe(false);
});

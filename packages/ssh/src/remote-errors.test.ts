import { expect, test } from 'vitest';
import { connectError } from './remote-errors.ts';

const target = {
  name: 'edge-1',
  host: 'edge-1',
  port: 22,
  user: 'admin',
  auth: [],
  hostKeys: [],
  jumps: [],
  transport: 'library',
  limits: { connectSeconds: 5, idleTimeoutSeconds: 30 },
} as const;

test.each([
  ['ENOTFOUND', '"transport: library"'],
  ['ECONNREFUSED', 'an SSH server runs there'],
])('%s is reported with what may help', (code, words) => {
  const error = connectError(target, Object.assign(new Error('getaddrinfo or connect'), { code }));
  expect(error.code).toBe('REMOTE_UNREACHABLE');
  expect(error.hint).toContain(words);
});

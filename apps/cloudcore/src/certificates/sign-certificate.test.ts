import { X509Certificate } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { memorySecrets } from '../testing/memory-secrets.ts';
import { newAuthority, openAuthority } from './authority.ts';
import { openServerCertificate } from './server-certificate.ts';
import { alternativeNames, isOneOf } from './sign-certificate.ts';

let certificate: X509Certificate;

beforeAll(async () => {
  const now = new Date();
  const authority = await openAuthority(await newAuthority(now), 'the test');
  const names = alternativeNames(['10.1.1.1', 'cloud.example', '*.wild.example', '127.0.0.1', 'localhost']);
  const wish = { authority, names, files: { certificate: '', key: '' } };
  const { cert } = await openServerCertificate(wish, memorySecrets(), now, new AbortController().signal);
  certificate = new X509Certificate(cert);
});

test.each([
  ['cloud.example', true],
  ['any.wild.example', true],
  ['10.1.1.1', true],
  ['configured.example', true],
  ['edge-1', false],
  ['10.1.1.2', false],
  ['localhost', false],
  ['127.0.0.1', false],
])('"%s" is a name of the cloud: %s', (name, expected) => {
  expect(isOneOf(name, ['Configured.example'], certificate)).toBe(expected);
});

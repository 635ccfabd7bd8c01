// oxlint-disable-next-line import/no-unassigned-import -- the library below needs it loaded before itself
import 'reflect-metadata';
import { createPrivateKey } from 'node:crypto';
import { Pkcs10CertificateRequest } from '@peculiar/x509';
import { expect, test } from 'vitest';
import { makeCertificateRequest, newPrivateKey } from './certificate-request.ts';

test('the request says what upstream says, and is signed with the key that comes with it', async () => {
  const key = newPrivateKey();
  const parsed = new Pkcs10CertificateRequest(new Uint8Array(makeCertificateRequest('edge-1', key)));
  expect(parsed.subject).toBe('C=CN, O=system:nodes, L=Hangzhou, ST=Zhejiang, CN=system:node:edge-1');
  expect(await parsed.verify()).toBe(true);
  expect(key).toMatch(/^-----BEGIN EC PRIVATE KEY-----/);
  expect(createPrivateKey(key).asymmetricKeyDetails?.namedCurve).toBe('prime256v1');
});

test('a name as long as a name may be is encoded right', async () => {
  const name = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`;
  const parsed = new Pkcs10CertificateRequest(new Uint8Array(makeCertificateRequest(name, newPrivateKey())));
  expect(parsed.subjectName.getField('CN')).toEqual([`system:node:${name}`]);
  expect(await parsed.verify()).toBe(true);
});

test('two keys are never alike', () => {
  expect(newPrivateKey()).not.toBe(newPrivateKey());
});

// oxlint-disable-next-line import/no-unassigned-import -- the certificate library asks for it before it is loaded
import 'reflect-metadata';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { stringAt, valueAt } from '@fenestra/kube-api';
import { Pkcs10CertificateRequest } from '@peculiar/x509';
import { expect, test } from 'vitest';
import { certificateRequest } from './certificate-request.ts';

const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'sec1', format: 'pem' });

test('a request says exactly what the approver of kubelets wants to see', async () => {
  const object = await certificateRequest('worker-1', key.toString());
  expect(object).toMatchObject({
    metadata: { generateName: 'csr-' },
    spec: {
      signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
      usages: ['digital signature', 'key encipherment', 'client auth'],
    },
  });
  expect(valueAt(object, 'spec', 'expirationSeconds')).toBeUndefined();
  const request = new Pkcs10CertificateRequest(Buffer.from(stringAt(object, 'spec', 'request'), 'base64').toString());
  expect(request.subject).toBe('O=system:nodes, CN=system:node:worker-1');
  expect(request.extensions).toEqual([]);
  expect(await request.verify()).toBe(true);
});

test('the key signs the request and is not in it', async () => {
  const object = await certificateRequest('worker-1', key.toString());
  const pem = Buffer.from(stringAt(object, 'spec', 'request'), 'base64').toString();
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' });
  expect(Buffer.from(new Pkcs10CertificateRequest(pem).publicKey.rawData)).toEqual(spki);
  expect(pem).toMatch(/^-----BEGIN CERTIFICATE REQUEST-----/);
  expect(JSON.stringify(object)).not.toContain('PRIVATE');
});

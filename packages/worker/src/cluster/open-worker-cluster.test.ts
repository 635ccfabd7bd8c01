// oxlint-disable-next-line import/no-unassigned-import -- the certificate library asks for it before it is loaded
import 'reflect-metadata';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { stringAt, valueAt } from '@fenestra/kube-api';
import { Pkcs10CertificateRequest } from '@peculiar/x509';
import { expect, test } from 'vitest';
import { certificateRequest, nodeOf, renewalOf, requestedCertificateOf, textsOf } from './open-worker-cluster.ts';

const metadata = { name: 'x' };
const request = (status: Readonly<Record<string, string | readonly Readonly<Record<string, string>>[]>>) => ({
  metadata,
  status,
});

test('a node that has said nothing yet is not known to be ready', () => {
  expect(nodeOf({ metadata })).toEqual({
    ready: 'Unknown',
    readyReason: '',
    readyMessage: '',
    schedulable: true,
    kubeletVersion: '',
    labels: {},
    annotations: {},
  });
});

test('a node is described as its kubelet describes it', () => {
  const conditions = [
    { type: 'DiskPressure', status: 'False' },
    { type: 'Ready', status: 'False', reason: 'KubeletNotReady', message: 'no network' },
  ];
  const status = { conditions, nodeInfo: { kubeletVersion: 'v1.33.1' } };
  const node = { metadata: { name: 'x', labels: { a: 'b' } }, spec: { unschedulable: true }, status };
  expect(nodeOf(node)).toMatchObject({
    ready: 'False',
    readyReason: 'KubeletNotReady',
    readyMessage: 'no network',
    schedulable: false,
    kubeletVersion: 'v1.33.1',
    labels: { a: 'b' },
  });
});

test('a request is pending until it has a certificate, and refused whatever else it has', () => {
  const certificate = Buffer.from('PEM').toString('base64');
  const denied = { type: 'Denied', status: 'True', reason: 'No', message: 'not you' };
  const failed = { type: 'Failed', status: 'True', reason: 'SignerValidationFailure' };
  const approved = { type: 'Approved', status: 'True' };
  expect(requestedCertificateOf({ metadata })).toEqual({ state: 'pending' });
  expect(requestedCertificateOf(request({ conditions: [approved] }))).toEqual({ state: 'pending' });
  expect(requestedCertificateOf(request({ certificate }))).toEqual({ state: 'issued', certificate: 'PEM' });
  expect(requestedCertificateOf(request({ conditions: [denied] }))).toEqual({ state: 'denied', reason: 'not you' });
  expect(requestedCertificateOf(request({ certificate, conditions: [approved, failed] }))).toEqual({
    state: 'failed',
    reason: 'SignerValidationFailure',
  });
});

test('only texts are read from a ConfigMap, and only times from a lease', () => {
  expect(textsOf({ metadata, data: { a: 'text', b: 1 } })).toEqual({ a: 'text' });
  expect(textsOf({ metadata })).toEqual({});
  expect(renewalOf({ metadata, spec: { renewTime: '2026-01-02T03:04:05.678901Z' } })).toEqual(
    new Date('2026-01-02T03:04:05.678Z'),
  );
  expect(renewalOf({ metadata, spec: { renewTime: 'soon' } })).toBeUndefined();
});

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
  const parsed = new Pkcs10CertificateRequest(Buffer.from(stringAt(object, 'spec', 'request'), 'base64').toString());
  expect(parsed.subject).toBe('O=system:nodes, CN=system:node:worker-1');
  expect(parsed.extensions).toEqual([]);
  expect(await parsed.verify()).toBe(true);
});

test('the key signs the request and is not in it', async () => {
  const object = await certificateRequest('worker-1', key.toString());
  const pem = Buffer.from(stringAt(object, 'spec', 'request'), 'base64').toString();
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' });
  expect(Buffer.from(new Pkcs10CertificateRequest(pem).publicKey.rawData)).toEqual(spki);
  expect(pem).toMatch(/^-----BEGIN CERTIFICATE REQUEST-----/);
  expect(JSON.stringify(object)).not.toContain('PRIVATE');
});

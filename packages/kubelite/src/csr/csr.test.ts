// oxlint-disable-next-line import/no-unassigned-import -- the certificate library needs it loaded first.
import 'reflect-metadata';
import { createPublicKey, X509Certificate } from 'node:crypto';
import {
  Pkcs10CertificateRequestGenerator,
  SubjectAlternativeNameExtension,
  type JsonGeneralName,
} from '@peculiar/x509';
import { describe, expect, test } from 'vitest';
import { makeCa } from '../identity/certificates.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import { sample } from '../kinds/testing/samples.ts';
import { csrKind } from './csr-kind.ts';
import { type ParsedRequest, parseRequest, refusalOf } from './parse-request.ts';
import { signRequest } from './sign.ts';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const CLIENT = ['digital signature', 'client auth'];
const SERVING = ['digital signature', 'server auth'];

async function requestFor(subject: string, names: JsonGeneralName[] = []): Promise<ParsedRequest & { base64: string }> {
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const extensions = names.length === 0 ? [] : [new SubjectAlternativeNameExtension(names)];
  const made = await Pkcs10CertificateRequestGenerator.create({
    name: subject,
    keys,
    signingAlgorithm: ALGORITHM,
    extensions,
  });
  const base64 = Buffer.from(made.toString('pem')).toString('base64');
  const parsed = parseRequest(base64);
  if (parsed === undefined) throw new Error('the request cannot be read');
  return { ...parsed, base64 };
}

function object(
  signer: string,
  usages: readonly string[],
  username = 'system:node:a',
  groups = ['system:nodes'],
): KubeObject {
  return sample('CertificateSigningRequest', 'r', {
    spec: { signerName: `kubernetes.io/${signer}`, usages, username, groups },
  });
}

describe('the client signer', () => {
  test.each([
    ['O=system:nodes,CN=system:node:a', CLIENT, undefined],
    ['O=system:nodes,CN=system:node:a', [...CLIENT, 'key encipherment'], undefined],
    ['O=system:masters,CN=system:node:a', CLIENT, 'organization'],
    ['O=system:nodes,O=system:masters,CN=system:node:a', CLIENT, 'organization'],
    ['O=system:nodes,CN=admin', CLIENT, 'common name'],
    ['O=system:nodes,CN=system:node:', CLIENT, 'common name'],
    ['O=system:nodes,CN=system:node:b', CLIENT, 'requesting node'],
    ['O=system:nodes,CN=system:node:a', SERVING, 'usages'],
    ['O=system:nodes,CN=system:node:a', ['client auth', 'cert sign', 'digital signature'], 'usages'],
  ])('judges %s with %j', async (subject, usages, refusal) => {
    const why = refusalOf(object('kube-apiserver-client-kubelet', usages), await requestFor(subject));
    if (refusal === undefined) expect(why).toBeUndefined();
    else expect(why).toContain(refusal);
  });

  test('lets a bootstrapping machine become any one node, without other names', async () => {
    const by = object('kube-apiserver-client-kubelet', CLIENT, 'system:bootstrap:abc123', ['system:bootstrappers']);
    expect(refusalOf(by, await requestFor('O=system:nodes,CN=system:node:b'))).toBeUndefined();
    const named = await requestFor('O=system:nodes,CN=system:node:b', [{ type: 'dns', value: 'x' }]);
    expect(refusalOf(by, named)).toContain('alternative names');
  });
});

describe('the serving signer', () => {
  test('wants the node itself, with names or addresses only', async () => {
    const subject = 'O=system:nodes,CN=system:node:a';
    const by = object('kubelet-serving', SERVING);
    expect(refusalOf(by, await requestFor(subject, [{ type: 'ip', value: '10.0.0.1' }]))).toBeUndefined();
    expect(refusalOf(by, await requestFor(subject))).toContain('is required');
    expect(
      refusalOf(
        by,
        await requestFor(subject, [
          { type: 'dns', value: 'a' },
          { type: 'email', value: 'a@b' },
        ]),
      ),
    ).toContain('only DNS');
    const other = object('kubelet-serving', SERVING, 'system:bootstrap:abc123', ['system:bootstrappers']);
    expect(refusalOf(other, await requestFor(subject, [{ type: 'dns', value: 'a' }]))).toContain('requesting node');
  });
});

test('a signed certificate has the subject, the names, the use and the time that were asked for', async () => {
  const now = new Date();
  const ca = await makeCa('test', now);
  const asked = await requestFor('O=system:nodes,CN=system:node:a', [{ type: 'dns', value: 'edge-a' }]);
  const pem = await signRequest(asked.request, { usages: SERVING, seconds: 3600, now }, ca);
  const certificate = new X509Certificate(pem);
  expect(certificate.verify(createPublicKey(ca.certificate))).toBe(true);
  expect(certificate.subject).toBe('O=system:nodes\nCN=system:node:a');
  expect(certificate.subjectAltName).toBe('DNS:edge-a');
  expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  expect(certificate.ca).toBe(false);
  expect(Math.round((certificate.validToDate.getTime() - now.getTime()) / 60_000)).toBe(60);
});

test('a certificate names the user and group that were judged, and nothing else of the request', async () => {
  const now = new Date();
  const ca = await makeCa('test', now);
  const asked = await requestFor('C=CN,OU=admins,O=system:nodes,CN=system:node:a,2.5.4.65=pseudonym');
  const pem = await signRequest(asked.request, { usages: CLIENT, seconds: 3600, now }, ca);
  expect(new X509Certificate(pem).subject).toBe('O=system:nodes\nCN=system:node:a');
});

test('a certificate does not outlive its CA', async () => {
  const now = new Date();
  const ca = await makeCa('test', now);
  const asked = await requestFor('O=system:nodes,CN=system:node:a');
  const pem = await signRequest(asked.request, { usages: CLIENT, seconds: 100 * 365 * 86_400, now }, ca);
  expect(new X509Certificate(pem).validTo).toBe(new X509Certificate(ca.certificate).validTo);
});

test('a request object is checked before it is stored', async () => {
  const { base64 } = await requestFor('CN=x');
  expect(fieldsOf({ request: base64, signerName: 'example.com/own', usages: ['client auth'] })).toEqual([]);
  expect(fieldsOf({ request: 'bm9uZQ==', usages: ['to be admired'], expirationSeconds: 5 })).toEqual([
    'spec.request',
    'spec.signerName',
    'spec.usages[0]',
    'spec.expirationSeconds',
  ]);
});

function fieldsOf(spec: object): readonly string[] {
  const request = sample('CertificateSigningRequest', 'r', JSON.parse(JSON.stringify({ spec })));
  return csrKind.validate?.(request).map(({ field }) => field) ?? [];
}

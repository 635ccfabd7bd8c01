import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CERTIFICATE_PATHS, certificateRequestHeaders, parseJoinToken } from '@fenestra/contracts';
import { mustRun } from '../beds/command.ts';
import { KINDS, type KubeApi, stringAt } from '@fenestra/kube-api';
import { expect, vi } from 'vitest';
import { PATIENCE, unlimited } from '../cloud/patience.ts';
import type { Credentials } from './http-fuzz.ts';

/** A node's name with the certificate that the cloud gave it: what a thief finds on a stolen device. */
export interface NodeIdentity extends Credentials {
  readonly node: string;
}

const SIGNER = 'kubernetes.io/kube-apiserver-client-kubelet';
const CURVE = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

interface CertificateRequest {
  readonly der: Buffer;
  readonly key: string;
}

/** Asks the cloud for a certificate with a join token, as an agent does. */
export async function joinAs(node: string, token: string, httpsPort: number): Promise<NodeIdentity> {
  const { der, key } = await newRequest(node);
  return { node, cert: pemOf(await certificateFor(node, token, httpsPort, der)), key };
}

/** Gets a certificate for the Kubernetes API, as a kubelet does, approved by the administrator whose access this is. */
export async function kubeletAs(node: string, api: KubeApi): Promise<NodeIdentity> {
  const { der, key } = await newRequest(node);
  const pem = Buffer.from(pemOf(der, 'CERTIFICATE REQUEST'));
  const spec = { request: pem.toString('base64'), signerName: SIGNER, usages: ['client auth', 'digital signature'] };
  const kind = KINDS.certificateSigningRequest;
  await api.create(kind, { metadata: { name: node }, spec }, unlimited());
  const status = {
    conditions: [{ type: 'Approved', status: 'True', reason: 'Test', message: 'Approved by the test' }],
  };
  await api.patch(kind, { name: node }, { type: 'merge', subresource: 'approval', body: { status } }, unlimited());
  const cert = await vi.waitFor(async () => {
    const signed = stringAt(await api.get(kind, { name: node }, unlimited()), 'status', 'certificate');
    expect(signed).not.toBe('');
    return Buffer.from(signed, 'base64').toString();
  }, PATIENCE);
  return { node, cert, key };
}

/** A DER certificate as PEM. */
export function pemOf(der: Buffer, label = 'CERTIFICATE'): string {
  const lines = der.toString('base64').replaceAll(/.{64}/g, '$&\n');
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}

async function newRequest(node: string): Promise<CertificateRequest> {
  const folder = await mkdtemp(join(tmpdir(), 'identity-'));
  try {
    const [keyFile, requestFile] = [join(folder, 'key.pem'), join(folder, 'request.der')];
    const files = ['-outform', 'DER', '-keyout', keyFile, '-out', requestFile];
    const subject = ['-subj', `/O=system:nodes/CN=system:node:${node}`];
    await mustRun(['openssl', 'req', '-new', ...CURVE, ...files, ...subject], {}, unlimited());
    return { der: await readFile(requestFile), key: await readFile(keyFile, 'utf8') };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function certificateFor(node: string, token: string, port: number, body: Buffer): Promise<Buffer> {
  const { jwt: bearer } = parseJoinToken(token);
  const headers = certificateRequestHeaders({ nodeName: node, keyUsages: ['clientAuth'], bearer });
  const path = CERTIFICATE_PATHS.nodeCertificate;
  const options = { host: '127.0.0.1', port, path, rejectUnauthorized: false };
  const sent = request({ ...options, headers: { ...headers, 'Content-Length': body.length } }).end(body);
  const [response]: IncomingMessage[] = await once(sent, 'response');
  if (response === undefined) throw new Error('The cloud does not answer');
  const answer = await buffer(response);
  if (response.statusCode === 200) return answer;
  throw new Error(`The cloud answers ${response.statusCode}: ${answer.toString()}`);
}

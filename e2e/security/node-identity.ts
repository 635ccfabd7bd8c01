import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CERTIFICATE_PATHS, certificateRequestHeaders, parseJoinToken } from '@fenestra/contracts';
import { mustRun } from '../beds/command.ts';
import { unlimited } from '../cloud/patience.ts';
import type { Credentials } from './http-fuzz.ts';

/** A node's name with the certificate that the cloud gave it: what a thief finds on a stolen device. */
export interface NodeIdentity extends Credentials {
  readonly node: string;
}

const CURVE = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

/** Asks the cloud for a certificate with a join token, as an agent does. */
export async function joinAs(node: string, token: string, httpsPort: number): Promise<NodeIdentity> {
  const folder = await mkdtemp(join(tmpdir(), 'identity-'));
  try {
    const [keyFile, requestFile] = [join(folder, 'key.pem'), join(folder, 'request.der')];
    const files = ['-outform', 'DER', '-keyout', keyFile, '-out', requestFile];
    const subject = ['-subj', `/O=system:nodes/CN=system:node:${node}`];
    await mustRun(['openssl', 'req', '-new', ...CURVE, ...files, ...subject], {}, unlimited());
    const der = await certificateFor(node, token, httpsPort, await readFile(requestFile));
    return { node, cert: pemOf(der), key: await readFile(keyFile, 'utf8') };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A DER certificate as PEM. */
export function pemOf(der: Buffer, label = 'CERTIFICATE'): string {
  const lines = der.toString('base64').replaceAll(/.{64}/g, '$&\n');
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
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

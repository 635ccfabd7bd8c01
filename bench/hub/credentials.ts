import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Authority } from '../../apps/cloudcore/src/certificates/authority.ts';
import { newPrivateKey, publicKeyBytes, toPem } from '../../apps/cloudcore/src/certificates/key-pair.ts';
import { nodeSubject } from '../../apps/cloudcore/src/certificates/node-request.ts';
import type { ServerCertificate } from '../../apps/cloudcore/src/certificates/server-certificate.ts';
import { signCertificate } from '../../apps/cloudcore/src/certificates/sign-certificate.ts';
import { testAuthority } from '@fenestra/cloudcore/testing/test-cloud';

/** A node's end of TLS. */
export interface ClientCertificate {
  readonly node: string;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** Makes a CA, a server certificate and one certificate per node. */
export async function writeCredentials(folder: string, nodes: number): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const { authority, certificate } = await testAuthority();
  writeFileSync(join(folder, 'server.json'), JSON.stringify(certificate));
  writeFileSync(join(folder, 'clients.json'), JSON.stringify(await clientCertificates(authority, nodes)));
}

/** A certificate for each of so many nodes. They share a key: only the making is cheaper. */
export async function clientCertificates(authority: Authority, nodes: number): Promise<readonly ClientCertificate[]> {
  const privateKey = newPrivateKey();
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const shared = {
    publicKey: publicKeyBytes(privateKey),
    usages: ['clientAuth'] as const,
    names: { ips: [], dns: [] },
    days: 1,
  };
  const clients: ClientCertificate[] = [];
  for (let index = 0; index < nodes; index += 1) {
    const node = `node-${index}`;
    const der = await signCertificate(authority, { ...shared, subject: nodeSubject(node) }, new Date());
    clients.push({ node, ca: authority.pem, cert: toPem('CERTIFICATE', der), key });
  }
  return clients;
}

/** The server's certificate. */
export function readServerCertificate(folder: string): ServerCertificate {
  // Written by the function above, in the same run.
  const stored: ServerCertificate = JSON.parse(readFileSync(join(folder, 'server.json'), 'utf8'));
  return { ...stored, notAfter: new Date(stored.notAfter) };
}

/** Some of the nodes' certificates. */
export function readClientCertificates(folder: string, from: number, to: number): readonly ClientCertificate[] {
  const all: readonly ClientCertificate[] = JSON.parse(readFileSync(join(folder, 'clients.json'), 'utf8'));
  return all.slice(from, to);
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mustRun } from '../../support/beds/command.ts';
import type { Cluster } from './cluster.ts';

/** A kubeconfig for a bearer token. */
export async function tokenConfig(cluster: Cluster, name: string, token: string): Promise<string> {
  return userConfig(cluster, name, { token });
}

/** A kubeconfig for a client certificate, both PEM. */
export async function certificateConfig(
  cluster: Cluster,
  name: string,
  certificate: string,
  key: string,
): Promise<string> {
  return userConfig(cluster, name, {
    'client-certificate-data': Buffer.from(certificate).toString('base64'),
    'client-key-data': Buffer.from(key).toString('base64'),
  });
}

/** A new key and a request for a certificate, as a node agent makes them. */
export async function certificateRequest(
  cluster: Cluster,
  subject: string,
  alternativeNames = '',
): Promise<{ readonly key: string; readonly request: string }> {
  const [keyFile, requestFile] = [join(cluster.folder, 'node.key'), join(cluster.folder, 'node.csr')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const names = alternativeNames === '' ? [] : ['-addext', `subjectAltName=${alternativeNames}`];
  const files = ['-keyout', keyFile, '-out', requestFile];
  await mustRun(
    ['openssl', 'req', '-new', ...curve, ...files, '-subj', subject, ...names],
    {},
    new AbortController().signal,
  );
  return { key: await readFile(keyFile, 'utf8'), request: await readFile(requestFile, 'utf8') };
}

/** A CertificateSigningRequest object. */
export function signingRequest(name: string, request: string, signer: string, usages: readonly string[]): object {
  return {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name },
    spec: { request: Buffer.from(request).toString('base64'), signerName: `kubernetes.io/${signer}`, usages },
  };
}

async function userConfig(cluster: Cluster, name: string, user: object): Promise<string> {
  const { url, caCertificate } = cluster.kubelite();
  const server = { server: url, 'certificate-authority-data': Buffer.from(caCertificate).toString('base64') };
  return cluster.manifest(`${name}.kubeconfig`, {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: server }],
    users: [{ name, user }],
    contexts: [{ name, context: { cluster: 'test', user: name } }],
    'current-context': name,
  });
}

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mustRun } from '../command.ts';

const ADMIN_TOKEN = 'admin-of-the-test-bed';

/** Makes the keys and certificates of a control plane, and the administrator's token. */
export async function makeKeys(folder: string, signal: AbortSignal): Promise<void> {
  const openssl = async (line: string): Promise<unknown> =>
    mustRun(['openssl', ...line.split(' ').map((word) => word.replace('@', `${folder}/`))], {}, signal);
  await openssl('req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=test-bed -keyout @ca.key -out @ca.crt');
  await openssl('req -newkey rsa:2048 -nodes -subj /CN=kube-apiserver -keyout @server.key -out @server.csr');
  await writeFile(join(folder, 'names'), 'subjectAltName=IP:127.0.0.1,DNS:localhost,DNS:kubernetes.default.svc\n');
  const byAuthority = '-CA @ca.crt -CAkey @ca.key -CAcreateserial';
  await openssl(`x509 -req -in @server.csr ${byAuthority} -days 2 -extfile @names -out @server.crt`);
  await openssl('genrsa -out @service-accounts.key 2048');
  await writeFile(join(folder, 'tokens.csv'), `${ADMIN_TOKEN},admin,admin,system:masters\n`, { mode: 0o600 });
}

/** Writes the administrator's kubeconfig. */
export async function writeKubeconfig(
  folder: string,
  file: string,
  server: string,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const ca = (await readFile(join(folder, 'ca.crt'))).toString('base64');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'bed',
    clusters: [{ name: 'bed', cluster: { server, 'certificate-authority-data': ca } }],
    users: [{ name: 'admin', user: { token: ADMIN_TOKEN } }],
    contexts: [{ name: 'bed', context: { cluster: 'bed', user: 'admin' } }],
  };
  await writeFile(file, JSON.stringify(config), { mode: 0o600 });
}

import { dump } from 'js-yaml';
import type { KeyPair } from './identity.ts';

/** A kubeconfig with everything inside it, as YAML. It holds a private key. */
export function kubeconfigFor(url: string, ca: string, user: string, keys: KeyPair): string {
  const context = `${user}@kubelite`;
  return dump({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'kubelite', cluster: { server: url, 'certificate-authority-data': base64(ca) } }],
    users: [
      {
        name: user,
        user: { 'client-certificate-data': base64(keys.certificate), 'client-key-data': base64(keys.key) },
      },
    ],
    contexts: [{ name: context, context: { cluster: 'kubelite', user, namespace: 'default' } }],
    'current-context': context,
  });
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

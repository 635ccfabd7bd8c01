import type { JsonObject } from '@fenestra/kube-api';

/** Who a pod is for the API server. The CA and the token lie beside the kubeconfig, so that it need not know where on the host the volume is. */
export function kubeconfig(apiServer: string): string {
  const cluster = { server: `https://${apiServer}`, 'certificate-authority': 'ca.crt' };
  return JSON.stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'cluster', cluster }],
      users: [{ name: 'pod', user: { tokenFile: 'token' } }],
      contexts: [{ name: 'pod', context: { cluster: 'cluster', user: 'pod' } }],
      'current-context': 'pod',
    },
    undefined,
    2,
  );
}

/** One folder with the kubeconfig and the two files that it names. */
export function accessVolume(configMap: string): JsonObject {
  const sources = [
    { configMap: { name: configMap, items: [{ key: 'kubeconfig', path: 'kubeconfig' }] } },
    { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    { serviceAccountToken: { path: 'token', expirationSeconds: TOKEN_SECONDS } },
  ];
  return { name: 'access', projected: { sources } };
}

/** As long as the token that Kubernetes itself gives to pods; it is replaced under way. */
const TOKEN_SECONDS = 3607;

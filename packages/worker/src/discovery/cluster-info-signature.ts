import { createHmac, timingSafeEqual } from 'node:crypto';
import type { BootstrapToken } from '@fenestra/contracts/kube';

/** What a `cluster-info` ConfigMap says to the holder of a token. */
export type ClusterInfoVerdict = 'valid' | 'unsigned' | 'forged' | 'no-kubeconfig';

/** The key of the signature that only holders of this token can check. */
export function signatureKey({ id }: BootstrapToken): string {
  return `jws-kubeconfig-${id}`;
}

/** The detached signature of a kubeconfig (RFC 7515, appendix F), to the byte as Kubernetes makes it. */
export function signClusterInfo(kubeconfig: string, { id, secret }: BootstrapToken): string {
  const header = base64url(`{"alg":"HS256","kid":"${id}"}`);
  const mac = createHmac('sha256', secret)
    .update(`${header}.${base64url(kubeconfig)}`)
    .digest('base64url');
  return `${header}..${mac}`;
}

/** Whether the holder of the token has signed this. The whole text is compared: no header is believed. */
export function verifyClusterInfo(data: Readonly<Record<string, string>>, token: BootstrapToken): ClusterInfoVerdict {
  const kubeconfig = data['kubeconfig'] ?? '';
  if (kubeconfig === '') return 'no-kubeconfig';
  const signature = data[signatureKey(token)] ?? '';
  if (signature === '') return 'unsigned';
  return isSame(signature, signClusterInfo(kubeconfig, token)) ? 'valid' : 'forged';
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}

/** Takes the same time wherever the two differ. */
function isSame(left: string, right: string): boolean {
  const [ours, theirs] = [Buffer.from(left), Buffer.from(right)];
  return ours.length === theirs.length && timingSafeEqual(ours, theirs);
}

import { isIPv4 } from 'node:net';
import { OperatorError } from '@fenestra/kernel';
import type { AppliedManifest } from '@fenestra/worker/manifests/apply';

/** What was, or would be, done to every object. */
export function appliedText(changes: readonly AppliedManifest[], dryRun: boolean): string {
  const lines = changes.map(
    ({ action, kind, namespace, name }) =>
      `${action.padEnd(9)}  ${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`,
  );
  const changed = changes.filter(({ action }) => action !== 'unchanged').length;
  return [
    ...lines,
    dryRun ? 'The server accepts all objects; nothing was changed' : `${changed} of ${changes.length} objects changed`,
  ].join('\n');
}

/** `host:port` of a server that nodes can be told; a kubeconfig may name one that only this machine reaches. */
export function nodesAddress(server: string): string {
  const { protocol, hostname, port } = new URL(server);
  if (protocol === 'https:' && !isLoopback(hostname)) return `${hostname}:${port || '443'}`;
  throw new OperatorError('USAGE', `Cannot use "${server}" for Windows nodes: it is reachable from this machine only`, {
    hint: 'Give the address that nodes use with "--api-server HOST:PORT".',
  });
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'));
}

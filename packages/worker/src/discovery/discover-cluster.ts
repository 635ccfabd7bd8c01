import { type BootstrapToken, type Discovery, parseBootstrapToken, parsePin, pinnedIn } from '@fenestra/contracts/kube';
import { OperatorError } from '@fenestra/kernel';
import { emptyClusterInfo, fetchClusterInfo, verifyClusterInfo, type Voucher } from './cluster-info.ts';
import { discoverByFile } from './discover-by-file.ts';
import { readClusterInfo } from './kubeconfig.ts';
import { type Patience, untilFound } from './until-found.ts';
import type { DiscoveredCluster } from './worker-kubeconfigs.ts';

/** Finds the cluster to join and makes sure that it is the right one. Nothing of this machine is changed. */
export async function discoverCluster(
  discovery: Discovery,
  patience: Omit<Patience, 'host'>,
  signal: AbortSignal,
): Promise<DiscoveredCluster> {
  return discovery.kind === 'token'
    ? discoverByToken(discovery, patience, signal)
    : discoverByFile(discovery, patience, signal);
}

/** A discovery by token, as a `JoinConfiguration` has it. */
export type TokenDiscovery = Extract<Discovery, { kind: 'token' }>;

/**
 * Finds a cluster by a token that both sides know. Anyone who answers first is not believed: the answer has to be signed
 * with the token, and its CA pinned. The cluster is then asked again by a connection that the pinned CA vouches for, and has
 * to say the same to the byte. From there on its own word for its address counts, not the one it was found by.
 */
export async function discoverByToken(
  { endpoint, token: text, caHashes, skipCaVerification }: TokenDiscovery,
  patience: Omit<Patience, 'host'>,
  signal: AbortSignal,
): Promise<DiscoveredCluster> {
  const [token, pins] = [parseBootstrapToken(text), caHashes.map(parsePin)];
  if (pins.length === 0 && !skipCaVerification) throw pinMissing();
  const server = serverAt(endpoint);
  const search = { deadline: performance.now() + patience.limitMs, ...patience, host: server.host };
  const look = async (voucher: Voucher): Promise<string> =>
    untilFound(() => readSigned(server, voucher, token, signal), search, signal);
  const kubeconfig = await look('nothing');
  const cluster = { ...readClusterInfo(kubeconfig), kubeconfig: undefined, warnings: [] };
  if (pins.length === 0) return cluster;
  // Anyone who has got hold of the token can sign a bundle with their own CA beside the pinned one.
  const pinned = pinnedIn(cluster.caBundle, pins);
  if (pinned.length === 0) throw notPinned(server.host);
  if ((await look({ ca: pinned.join('\n') })) !== kubeconfig) throw changed(server.host);
  return cluster;
}

async function readSigned(server: URL, voucher: Voucher, token: BootstrapToken, signal: AbortSignal): Promise<string> {
  const texts = await fetchClusterInfo(server, voucher, signal);
  const verdict = verifyClusterInfo(texts, token);
  switch (verdict) {
    case 'valid':
      return texts['kubeconfig'] ?? '';
    case 'unsigned':
      throw unsigned(server.host, token.id);
    case 'forged':
      throw forged(server.host, token.id);
    case 'no-kubeconfig':
      throw emptyClusterInfo(server.host);
  }
}

function serverAt(endpoint: string): URL {
  const [, host, port] = /^(\[[^\]]+\]|[^\s:/?#@[\]]+):(\d{1,5})$/.exec(endpoint.trim()) ?? [];
  const url = URL.parse(`https://${host}:${port}/`);
  if (host !== undefined && url !== null) return url;
  throw new OperatorError('USAGE', `Cannot use the address "${endpoint}": it must be "host:port"`, {
    hint: 'Give the address of the API server as "kubeadm token create --print-join-command" prints it.',
  });
}

const NEW_TOKEN =
  'Make a token with "kubeadm token create --print-join-command" on the control plane, then join with it.';

function unsigned(host: string, tokenId: string): OperatorError {
  return new OperatorError(
    'TOKEN_INVALID',
    `The cluster at "${host}" does not know the token "${tokenId}.…": it was never made there, or has expired`,
    { hint: NEW_TOKEN },
  );
}

function forged(host: string, tokenId: string): OperatorError {
  return new OperatorError(
    'CLUSTER_INFO_FORGED',
    `The "cluster-info" of the cluster at "${host}" is not signed with the secret of the token "${tokenId}.…"`,
    { hint: `Copy the whole token again. ${NEW_TOKEN}` },
  );
}

function notPinned(host: string): OperatorError {
  return new OperatorError('CA_NOT_PINNED', `No CA of the cluster at "${host}" has the hash that was given`, {
    hint: 'Compare the hash with the one "kubeadm token create --print-join-command" prints on the control plane.',
  });
}

function pinMissing(): OperatorError {
  return new OperatorError('USAGE', 'Cannot join by token: the hash of the CA is missing', {
    hint: 'Give "--discovery-token-ca-cert-hash", or "--discovery-token-unsafe-skip-ca-verification" to accept any CA.',
  });
}

function changed(host: string): OperatorError {
  return new OperatorError(
    'CLUSTER_INFO_CHANGED',
    `The "cluster-info" of the cluster at "${host}" changed after its certificate was verified`,
    { hint: 'Find out who answers at this address, then try again.' },
  );
}

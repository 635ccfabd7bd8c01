import { readFile } from 'node:fs/promises';
import { get } from 'node:https';
import { dirname } from 'node:path';
import { getCACertificates } from 'node:tls';
import type { Discovery } from '@fenestra/contracts/kube';
import { fileError, OperatorError, systemCodeOf } from '@fenestra/kernel';
import { KINDS, type KubeApi, openKubeApi, stringAt } from '@fenestra/kube-api';
import { throwIfAborted, within } from '@fenestra/platform';
import { asUntrusted, emptyClusterInfo } from './cluster-info.ts';
import { type ClusterEndpoint, type ClusterEntry, readClusterEntry, readClusterInfo } from './kubeconfig.ts';
import { selfContained } from './self-contained.ts';
import { type Patience, untilFound } from './until-found.ts';
import type { DiscoveredCluster } from './worker-kubeconfigs.ts';

/** Finds a cluster by a kubeconfig, which is believed; the cluster is asked only to see that it is there and agrees. */
export async function discoverByFile(
  discovery: FileDiscovery,
  patience: Omit<Patience, 'host'>,
  signal: AbortSignal,
): Promise<DiscoveredCluster> {
  const kubeconfig = await selfContained(await readDiscoveryFile(discovery, signal));
  const entry = readClusterEntry(kubeconfig);
  const reported = await askCluster(kubeconfig, patience, signal);
  const caBundle = entry.caBundle ?? reported?.caBundle;
  if (caBundle === undefined) throw withoutCa();
  return {
    server: entry.server,
    caBundle,
    kubeconfig: entry.hasCredentials ? kubeconfig : undefined,
    warnings: warningsOf(entry, reported),
  };
}

async function askCluster(
  kubeconfig: string,
  patience: Omit<Patience, 'host'>,
  signal: AbortSignal,
): Promise<ClusterEndpoint | undefined> {
  const api = await openKubeApi({ kubeconfig });
  try {
    const host = new URL(api.server).host;
    return await untilFound(() => readInfo(api, host, signal), { ...patience, host }, signal);
  } finally {
    api.close();
  }
}

async function readInfo(api: KubeApi, host: string, signal: AbortSignal): Promise<ClusterEndpoint | undefined> {
  try {
    const found = await api.get(KINDS.configMap, { namespace: 'kube-public', name: 'cluster-info' }, signal);
    const kubeconfig = stringAt(found, 'data', 'kubeconfig');
    if (kubeconfig === '') throw emptyClusterInfo(host);
    return readClusterInfo(kubeconfig);
  } catch (error) {
    const forbidden = error instanceof OperatorError && error.details['httpStatus'] === 403;
    if (forbidden) return undefined;
    throw asUntrusted(host, error) ?? error;
  }
}

function warningsOf({ server }: ClusterEntry, reported: ClusterEndpoint | undefined): readonly string[] {
  if (reported === undefined)
    return ['The cluster does not allow access to "cluster-info"; the discovery file is used unverified'];
  if (reported.server === server) return [];
  return [
    `The cluster reports its address as "${reported.server}"; the address of the discovery file, "${server}", is used`,
  ];
}

function withoutCa(): OperatorError {
  return new OperatorError(
    'KUBECONFIG_INVALID',
    'Cannot join: neither the discovery file nor the cluster contains the CA',
    {
      hint: 'Add the CA to the file, as "certificate-authority-data".',
    },
  );
}

const ANSWER_MS = 30_000;
const LONGEST_BYTES = 1024 * 1024;

/** A discovery by a kubeconfig, as a `JoinConfiguration` has it. */
export type FileDiscovery = Exclude<Discovery, { kind: 'token' }>;

/** A kubeconfig, and the folder that the paths in it start from; one that was fetched has none. */
export interface DiscoveryFile {
  /** May be secret. */
  readonly text: string;
  readonly folder: string | undefined;
}

async function readDiscoveryFile(discovery: FileDiscovery, signal: AbortSignal): Promise<DiscoveryFile> {
  if (discovery.kind === 'url') return { text: await fetchText(httpsUrl(discovery.url), signal), folder: undefined };
  const { path } = discovery;
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw fileError(cause, `read the discovery file "${path}"`);
  });
  return { text, folder: dirname(path) };
}

/** The address itself is not quoted: it may hold a password. */
function httpsUrl(address: string): URL {
  const url = URL.parse(address);
  if (url?.protocol === 'https:') return url;
  throw new OperatorError('USAGE', 'Cannot use the URL of the discovery file: it must start with "https://"', {
    hint: 'Give a path, or a URL that starts with "https://".',
  });
}

async function fetchText(url: URL, signal: AbortSignal): Promise<string> {
  try {
    return await download(url, within(ANSWER_MS, signal));
  } catch (error) {
    throwIfAborted(`fetching the discovery file from "${url.host}"`, signal);
    throw asUntrusted(url.host, error) ?? notFetched(url, error);
  }
}

async function download(url: URL, signal: AbortSignal): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  // What this machine trusts, not only what this program carries.
  const ca = [...getCACertificates('default'), ...getCACertificates('system')];
  const sent = get(url, { ca, agent: false, signal, headers: { 'user-agent': 'fenestra' } }, (response) => {
    const pieces: Buffer[] = [];
    let length = 0;
    if (response.statusCode !== 200) sent.destroy(new Error(`the server answers ${response.statusCode}`));
    response.on('data', (piece: Buffer) => {
      pieces.push(piece);
      length += piece.length;
      if (length > LONGEST_BYTES) sent.destroy(new Error('it is far too large'));
    });
    response.on('end', () => resolve(Buffer.concat(pieces).toString('utf8'))).on('error', reject);
  });
  sent.on('error', reject);
  return promise;
}

function notFetched(url: URL, cause: unknown): OperatorError {
  const systemCode = systemCodeOf(cause);
  const reason = systemCode === 'unknown' && cause instanceof Error ? cause.message : systemCode;
  return new OperatorError('DOWNLOAD_FAILED', `Cannot fetch the discovery file from "${url.host}": ${reason}`, {
    hint: 'Check the address, and that this machine reaches it.',
    cause,
  });
}

import { fileURLToPath } from 'node:url';
import type { NodeOs } from '../../config/edgecore/edge-paths.ts';
import { durationMilliseconds } from '../../config/scalars.ts';
import { criEndpoint } from '../cri-endpoint.ts';
import type { KubeletArg, Taint } from '../kubelet-flags.ts';
import { extraArgsOf, type JoinFile } from './schema.ts';

/** How to find the cluster and to know that it is the right one. */
export type Discovery =
  | {
      readonly kind: 'token';
      /** Secret. */
      readonly token: string;
      /** `host:port`. */
      readonly endpoint: string;
      /** Hashes of the CA's public key: `sha256:…`. Empty only if the operator asked to do without. */
      readonly caHashes: readonly string[];
      readonly skipCaVerification: boolean;
    }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'url'; readonly url: string };

/** How long to wait for what, in milliseconds. */
export interface JoinTimeouts {
  readonly kubeletHealthCheck: number;
  readonly kubernetesApiCall: number;
  readonly tlsBootstrap: number;
  readonly discovery: number;
}

/** What a `JoinConfiguration` of any version says of a worker, in one form. */
export interface JoinConfiguration {
  readonly discovery: Discovery;
  /** The bearer token of the TLS bootstrap; secret. Where nothing else is said, the one of the discovery. */
  readonly tlsBootstrapToken: string | undefined;
  readonly caCertPath: string | undefined;
  readonly nodeName: string | undefined;
  /** With its scheme. */
  readonly criSocket: string | undefined;
  readonly taints: readonly Taint[];
  readonly kubeletExtraArgs: readonly KubeletArg[];
  readonly ignorePreflightErrors: readonly string[];
  readonly skipPhases: readonly string[];
  readonly patchesFolder: string | undefined;
  readonly dryRun: boolean;
  readonly timeouts: JoinTimeouts;
  /** What the file says and nothing follows from, to be printed once. */
  readonly warnings: readonly string[];
}

/** A file that was found sound, in the one form, with kubeadm's defaults. */
export function toJoinConfiguration(file: JoinFile, warnings: readonly string[], os: NodeOs): JoinConfiguration {
  const registration = file.nodeRegistration ?? {};
  const socket = said(registration.criSocket);
  return {
    discovery: discoveryOf(file.discovery, os),
    tlsBootstrapToken: file.discovery.tlsBootstrapToken ?? file.discovery.bootstrapToken?.token,
    caCertPath: said(file.caCertPath),
    nodeName: said(registration.name)?.trim().toLowerCase(),
    criSocket: socket === undefined ? undefined : criEndpoint(socket, os),
    taints: (registration.taints ?? []).map(({ key, value, effect }) => ({ key, value, effect })),
    kubeletExtraArgs: extraArgsOf(registration.kubeletExtraArgs),
    ignorePreflightErrors: registration.ignorePreflightErrors ?? [],
    skipPhases: file.skipPhases ?? [],
    patchesFolder: said(file.patches?.directory),
    dryRun: file.dryRun ?? false,
    timeouts: timeoutsOf(file),
    warnings,
  };
}

function discoveryOf({ bootstrapToken, file }: JoinFile['discovery'], os: NodeOs): Discovery {
  if (bootstrapToken !== undefined) {
    return {
      kind: 'token',
      token: bootstrapToken.token,
      endpoint: bootstrapToken.apiServerEndpoint,
      caHashes: bootstrapToken.caCertHashes ?? [],
      skipCaVerification: bootstrapToken.unsafeSkipCAVerification ?? false,
    };
  }
  const location = discoveryLocation(file?.kubeConfigPath ?? '', os);
  if (location.kind === 'invalid') throw new Error('The place of the discovery file was checked before');
  return location;
}

/** The first version with timeouts of their own is the second; before, only the discovery had one. */
function timeoutsOf(file: JoinFile): JoinTimeouts {
  const timeouts = 'timeouts' in file ? (file.timeouts ?? {}) : {};
  const discovery = 'timeout' in file.discovery ? file.discovery.timeout : timeouts.discovery;
  return {
    kubeletHealthCheck: durationMilliseconds(timeouts.kubeletHealthCheck ?? '4m'),
    kubernetesApiCall: durationMilliseconds(timeouts.kubernetesAPICall ?? '1m'),
    tlsBootstrap: durationMilliseconds(timeouts.tlsBootstrap ?? '5m'),
    discovery: durationMilliseconds(discovery ?? '5m'),
  };
}

/** Kubernetes takes an empty text for none. */
function said(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

/** Where a discovery kubeconfig is, or what is wrong with what was said of it. */
type DiscoveryLocation =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'invalid'; readonly message: string };

/**
 * Tells a path from an address. One letter and a colon is a drive and never the scheme of an address, which is why
 * `C:\x.conf` and `C:/x.conf` are paths.
 */
export function discoveryLocation(written: string, os: NodeOs): DiscoveryLocation {
  const text = written.trim();
  if (text === '') return invalid('must be the path of a kubeconfig or an address that begins with "https://"');
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) return { kind: 'file', path: text };
  if (scheme === 'file') return fileLocation(text, os);
  if (scheme === 'https' && URL.canParse(text)) return { kind: 'url', url: text };
  return invalid('must be a path, or an address that begins with "https://"');
}

function fileLocation(text: string, os: NodeOs): DiscoveryLocation {
  try {
    return { kind: 'file', path: fileURLToPath(text, { windows: os === 'windows' }) };
  } catch {
    return invalid(`is not a file URL, such as "file:///${os === 'windows' ? 'C:/' : ''}etc/discovery.conf"`);
  }
}

function invalid(message: string): DiscoveryLocation {
  return { kind: 'invalid', message };
}

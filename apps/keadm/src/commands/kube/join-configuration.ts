import { resolve } from 'node:path';
import {
  criEndpoint,
  discoveryLocation,
  parseBootstrapToken,
  parseJoinConfiguration,
  parsePin,
  type Discovery,
  type JoinConfiguration,
  type JoinTimeouts,
  type NodeOs,
  type Taint,
} from '@fenestra/contracts/kube';
import { OperatorError } from '@fenestra/kernel';
import { readText } from '@fenestra/platform';
import type { KubeJoinFlags } from './join-options.ts';

const TIMEOUTS: JoinTimeouts = {
  kubeletHealthCheck: 240_000,
  kubernetesApiCall: 60_000,
  tlsBootstrap: 300_000,
  discovery: 300_000,
};

/** What was typed, with the token from wherever it came. All of it is secret. */
export interface TypedJoin {
  readonly endpoint: string | undefined;
  readonly token: string | undefined;
  readonly flags: KubeJoinFlags;
  readonly os: NodeOs;
  /** Whether the machine is a worker already, which needs nothing to find its cluster with. */
  readonly joined: boolean;
}

/** What to join and how: from a file, or from the command line. */
export async function joinConfiguration(typed: TypedJoin): Promise<JoinConfiguration> {
  const { flags, os, endpoint } = typed;
  if (flags.config === undefined) return withinWait(configurationOfFlags(typed), flags);
  if (endpoint !== undefined) throw toldByFile(`the address "${endpoint}"`);
  return withinWait(await configurationOfFile(flags.config, flags, os), flags);
}

/** Anyone who says how long to wait means all that is waited for: the cluster and the certificate as well as the kubelet. */
function withinWait(configuration: JoinConfiguration, { wait = Number.POSITIVE_INFINITY }: KubeJoinFlags) {
  const { timeouts } = configuration;
  const bounded = (milliseconds: number): number => Math.min(milliseconds, wait * 1000);
  const [discovery, tlsBootstrap] = [bounded(timeouts.discovery), bounded(timeouts.tlsBootstrap)];
  return { ...configuration, timeouts: { ...timeouts, discovery, tlsBootstrap } };
}

/** The configuration that the command line alone makes. Everything in it is checked before anything is asked. */
export function configurationOfFlags(typed: TypedJoin): JoinConfiguration {
  const { flags, os, token } = typed;
  const bootstrapToken = flags.tlsBootstrapToken ?? token;
  if (bootstrapToken !== undefined) parseBootstrapToken(bootstrapToken);
  return {
    discovery: discoveryOf(typed),
    tlsBootstrapToken: bootstrapToken,
    caCertPath: undefined,
    nodeName: flags.nodeName,
    criSocket: flags.criSocket === undefined ? undefined : criEndpoint(flags.criSocket, os),
    taints: toTaints(flags.taints ?? []),
    kubeletExtraArgs: [],
    ignorePreflightErrors: [],
    skipPhases: [],
    patchesFolder: flags.patches,
    dryRun: false,
    timeouts: TIMEOUTS,
    warnings: [],
  };
}

function discoveryOf({ endpoint, token: typed, flags, os, joined }: TypedJoin): Discovery {
  const { discoveryFile, discoveryTokenCaCertHash: caHashes = [] } = flags;
  const skipCaVerification = flags.discoveryTokenUnsafeSkipCaVerification === true;
  if (discoveryFile !== undefined) return fileDiscovery(discoveryFile, { endpoint, flags, os });
  if (endpoint === undefined) throw whichCluster();
  const token = flags.discoveryToken ?? typed ?? '';
  if (token === '' && !joined) throw tokenMissing();
  if (token !== '') parseBootstrapToken(token);
  for (const hash of caHashes) parsePin(hash);
  if (caHashes.length === 0 && !skipCaVerification && !joined) throw pinMissing();
  return { kind: 'token', token, endpoint, caHashes, skipCaVerification };
}

function fileDiscovery(file: string, { endpoint, flags, os }: Pick<TypedJoin, 'endpoint' | 'flags' | 'os'>): Discovery {
  if (endpoint !== undefined || flags.discoveryToken !== undefined) {
    throw new OperatorError('USAGE', 'Cannot use a discovery file and a token together', {
      hint: 'Give either "--discovery-file", or the address of the API server and "--token".',
    });
  }
  const location = discoveryLocation(file, os);
  if (location.kind === 'file') return { kind: 'file', path: resolve(location.path) };
  if (location.kind === 'url') return location;
  throw new OperatorError('USAGE', `Cannot use the discovery file "${file}": it ${location.message}`, {
    hint: 'Give the path of a kubeconfig, or a URL that starts with "https://".',
  });
}

/** What a file says too, so that one of the two would be ignored. */
const TOLD_BY_FILE: readonly (keyof KubeJoinFlags)[] = [
  'token',
  'tokenFile',
  'discoveryToken',
  'tlsBootstrapToken',
  'discoveryTokenCaCertHash',
  'discoveryTokenUnsafeSkipCaVerification',
  'discoveryFile',
];

async function configurationOfFile(file: string, flags: KubeJoinFlags, os: NodeOs): Promise<JoinConfiguration> {
  const path = resolve(file);
  const text = await readText(path, `the configuration "${path}"`);
  return withFlags(parseJoinConfiguration(text, path, os), flags, os);
}

/** The file's configuration with what the command line adds. A flag for what the file says already is refused, but for the name. */
export function withFlags(configuration: JoinConfiguration, flags: KubeJoinFlags, os: NodeOs): JoinConfiguration {
  const repeated = TOLD_BY_FILE.find((name) => flags[name] !== undefined);
  if (repeated !== undefined) throw toldTwice(repeated);
  const { criSocket, taints, patches: patchesFolder, nodeName } = flags;
  if (criSocket !== undefined && configuration.criSocket !== undefined) throw toldTwice('criSocket');
  if (taints !== undefined && configuration.taints.length > 0) throw toldTwice('taints');
  if (patchesFolder !== undefined && configuration.patchesFolder !== undefined) throw toldTwice('patches');
  return {
    ...configuration,
    nodeName: nodeName ?? configuration.nodeName,
    criSocket: criSocket === undefined ? configuration.criSocket : criEndpoint(criSocket, os),
    taints: taints === undefined ? configuration.taints : toTaints(taints),
    patchesFolder: patchesFolder ?? configuration.patchesFolder,
  };
}

function toldTwice(name: string): OperatorError {
  return toldByFile(`"--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}"`);
}

function toldByFile(what: string): OperatorError {
  return new OperatorError('USAGE', `Cannot use ${what} with "--config": the file sets it`, {
    hint: 'Set it in the file, or remove "--config".',
  });
}

function whichCluster(): OperatorError {
  return new OperatorError('USAGE', 'Missing the API server of the cluster', {
    hint: 'Give the address of its API server, as "kubeadm token create --print-join-command" prints it, or "--discovery-file" or "--config".',
  });
}

function tokenMissing(): OperatorError {
  return new OperatorError('USAGE', 'Missing the token of the cluster', {
    hint: 'Make one with "kubeadm token create --print-join-command", and give it with "--token-file", "--token -" or KEADM_TOKEN.',
  });
}

function pinMissing(): OperatorError {
  return new OperatorError('USAGE', 'Cannot verify the cluster without the hash of its CA', {
    hint: 'Give it with "--discovery-token-ca-cert-hash sha256:…", as "kubeadm token create --print-join-command" prints it.',
  });
}

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const;
const TAINT = /^([a-zA-Z0-9](?:[-a-zA-Z0-9_./]*[a-zA-Z0-9])?)(?:=([-a-zA-Z0-9_.]*))?:([A-Za-z]+)$/;

/** Taints as Kubernetes writes them: `key=value:Effect`, or without a value. */
function toTaints(texts: readonly string[]): readonly Taint[] {
  return texts.map(toTaint);
}

function toTaint(text: string): Taint {
  const [, key, value, effectText] = TAINT.exec(text) ?? [];
  const effect = EFFECTS.find((known) => known === effectText);
  if (key !== undefined && effect !== undefined) return { key, value, effect };
  throw new OperatorError('USAGE', `Cannot use "${text}" as a taint`, {
    hint: `Give taints like "os=windows:NoSchedule"; the effects are ${EFFECTS.join(', ')}.`,
  });
}

import { durationMilliseconds } from '../../config/duration.ts';
import type { NodeOs } from '../../config/edgecore/edge-paths.ts';
import { criEndpoint } from '../cri-endpoint.ts';
import { discoveryLocation } from './discovery-location.ts';
import { extraArgsOf } from './extra-args.ts';
import type { Discovery, JoinConfiguration, JoinTimeouts } from './join-configuration.ts';
import type { JoinFile } from './schema.ts';

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

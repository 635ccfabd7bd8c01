import type { JsonObject } from '@fenestra/kube-api';
import type { ManifestRequest } from '../request/manifest-request.ts';

/** The one number and port of an overlay that Windows can take part in. */
const OVERLAY = { VNI: 4096, Port: 4789 } as const;

/** Flannel's own configuration. It must say the same as that of the Linux nodes. */
export function flannelConfiguration({ network, podSubnet }: ManifestRequest): string {
  const backend = network === 'flannel-overlay' ? { Type: 'vxlan', ...OVERLAY } : { Type: 'host-gw' };
  return jsonText({ Network: podSubnet, Backend: backend });
}

/** What containerd connects pods with; the node's own address and subnet are put in by the node. */
export function pluginConfiguration(request: ManifestRequest): string {
  return jsonText({
    cniVersion: '0.3.0',
    name: request.hnsNetwork,
    type: 'flannel',
    capabilities: { portMappings: true, dns: true },
    delegate: request.network === 'flannel-overlay' ? overlay(request) : bridge(request),
  });
}

function overlay({ serviceSubnet, podSubnet }: ManifestRequest): JsonObject {
  const policies = [
    noTranslation([serviceSubnet, podSubnet]),
    route(serviceSubnet),
    policy('ProviderAddress', { ProviderAddress: 'HOST_ADDRESS' }),
  ];
  return { type: 'sdnoverlay', AdditionalArgs: policies };
}

function bridge({ serviceSubnet, podSubnet }: ManifestRequest): JsonObject {
  const policies = [
    noTranslation([serviceSubnet, podSubnet, 'HOST_SUBNET']),
    route(serviceSubnet),
    route('HOST_ADDRESS/32'),
  ];
  return { type: 'sdnbridge', optionalFlags: { forceBridgeGateway: true }, AdditionalArgs: policies };
}

/** Where a pod's own address is kept; everywhere else it goes by the node's. */
function noTranslation(subnets: readonly string[]): JsonObject {
  return policy('OutBoundNAT', { Exceptions: subnets });
}

function route(destination: string): JsonObject {
  return policy('SDNROUTE', { DestinationPrefix: destination, NeedEncap: true });
}

function policy(type: string, settings: JsonObject): JsonObject {
  return { Name: 'EndpointPolicy', Value: { Type: type, Settings: settings } };
}

function jsonText(value: JsonObject): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

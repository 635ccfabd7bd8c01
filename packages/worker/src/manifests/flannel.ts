import type { JsonObject, KubeObject } from '@fenestra/kube-api';
import { CNI, hostProcessPod, MOUNTS, type Part } from './part.ts';
import { partObjects } from './part-objects.ts';
import type { ManifestRequest } from './manifest-request.ts';

/** The part's name: of its namespace, its account and everything else. */
const FLANNEL = 'kube-flannel-windows';

/** What Flannel does in a cluster: it learns the subnets of all nodes, and notes at its own how to reach it. */
const FLANNEL_RULES: readonly JsonObject[] = [
  { apiGroups: [''], resources: ['nodes'], verbs: ['get', 'list', 'watch'] },
  { apiGroups: [''], resources: ['nodes/status'], verbs: ['patch'] },
];

/** Flannel on every Windows node, beside the one of the Linux nodes. */
export function flannelObjects(request: ManifestRequest): readonly KubeObject[] {
  return flannelPart(request, {
    script: FLANNEL_SCRIPT,
    variables: { CNI_PATH: CNI.programs, CNI_CONFIGURATION: CNI.configuration },
    pod: hostProcessPod('start.ps1'),
  });
}

/** Flannel, in whichever way its pods get at the host. */
export function flannelPart(
  request: ManifestRequest,
  { script, ...way }: Pick<Part, 'variables' | 'pod'> & { readonly script: string },
): readonly KubeObject[] {
  const files = {
    'start.ps1': script,
    'net-conf.json': flannelConfiguration(request),
    'cni-conf.json': pluginConfiguration(request),
  };
  const rights = { rules: FLANNEL_RULES };
  return partObjects({ name: FLANNEL, image: request.images.flannel, files, rights, ...way }, request);
}

/** The one number and port of an overlay that Windows can take part in. */
const OVERLAY = { VNI: 4096, Port: 4789 } as const;

/** Flannel's own configuration. It must say the same as that of the Linux nodes. */
function flannelConfiguration({ network, podSubnet }: ManifestRequest): string {
  const backend = network === 'flannel-overlay' ? { Type: 'vxlan', ...OVERLAY } : { Type: 'host-gw' };
  return jsonText({ Network: podSubnet, Backend: backend });
}

/** What containerd connects pods with; the node's own address and subnet are put in by the node. */
function pluginConfiguration(request: ManifestRequest): string {
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

const FLANNEL_SCRIPT = String.raw`$ErrorActionPreference = 'Stop'
$mount = $env:CONTAINER_SANDBOX_MOUNT_POINT
$files = "$mount${MOUNTS.files}"

# The network of the host's address, such as 10.0.0.0/24.
$length = (Get-NetIPAddress -IPAddress $env:HOST_ADDRESS).PrefixLength
$bytes = [Net.IPAddress]::Parse($env:HOST_ADDRESS).GetAddressBytes()
for ($index = 0; $index -lt 4; $index++) {
    $bits = [Math]::Min([Math]::Max($length - 8 * $index, 0), 8)
    $bytes[$index] = $bytes[$index] -band (256 - [Math]::Pow(2, 8 - $bits))
}
$subnet = "$($bytes -join '.')/$length"

# A plugin that is in use cannot be replaced, and one that is the same need not be.
New-Item -ItemType Directory -Force -Path $env:CNI_PATH, $env:CNI_CONFIGURATION | Out-Null
foreach ($plugin in Get-ChildItem "$mount\cni" -Filter *.exe) {
    $placed = Join-Path $env:CNI_PATH $plugin.Name
    if ((Test-Path $placed) -and (Get-FileHash $placed).Hash -eq (Get-FileHash $plugin.FullName).Hash) { continue }
    Copy-Item $plugin.FullName $placed -Force
}

$configuration = Get-Content -Raw "$files\cni-conf.json"
$configuration = $configuration.Replace('HOST_ADDRESS', $env:HOST_ADDRESS).Replace('HOST_SUBNET', $subnet)
[IO.File]::WriteAllText((Join-Path $env:CNI_CONFIGURATION '10-flannel.conf'), $configuration)

$arguments = @(
    '--kube-subnet-mgr'
    "--kubeconfig-file=$mount${MOUNTS.access}\kubeconfig"
    "--net-config-path=$files\net-conf.json"
    "--iface=$env:HOST_ADDRESS"
)
& "$mount\flannel\flanneld.exe" @arguments
exit $LASTEXITCODE
`;

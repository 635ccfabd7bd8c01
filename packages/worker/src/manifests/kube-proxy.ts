import { isAtLeast } from '@fenestra/contracts/kube';
import type { KubeObject } from '@fenestra/kube-api';
import { CNI, hostProcessPod, MOUNTS, NODE_KUBE_PROXY, type Part } from './part.ts';
import { partObjects } from './part-objects.ts';
import type { ManifestRequest } from './manifest-request.ts';

/** The part's name: of its namespace, its account and everything else. */
const KUBE_PROXY = 'kube-proxy-windows';

/** kube-proxy on every Windows node; the one that kubeadm installs runs on Linux nodes alone. */
export function kubeProxyObjects(request: ManifestRequest): readonly KubeObject[] {
  const { hnsNetwork } = request;
  return kubeProxyPart(request, {
    script: KUBE_PROXY_SCRIPT,
    files: { 'source-address.json': sourceAddressRequest(hnsNetwork) },
    variables: {
      KUBE_NETWORK: hnsNetwork,
      NODE_PROGRAM: NODE_KUBE_PROXY,
      CNI_PATH: CNI.programs,
      CNI_STATE: CNI.addresses,
    },
    pod: hostProcessPod('start.ps1'),
  });
}

/** kube-proxy, in whichever way its pods get at the host. */
export function kubeProxyPart(
  request: ManifestRequest,
  {
    script,
    files = {},
    ...way
  }: Pick<Part, 'variables' | 'pod'> & Partial<Pick<Part, 'files'>> & { readonly script: string },
): readonly KubeObject[] {
  // The order of the files is part of their digest: another one would restart the pods.
  const all = { 'start.ps1': script, 'arguments.txt': `${kubeProxyArguments(request).join('\n')}\n`, ...files };
  // Kubernetes keeps this role's rules as its own version of kube-proxy needs them.
  const rights = { clusterRole: 'system:node-proxier' };
  const image = request.images['kube-proxy'];
  return partObjects({ name: KUBE_PROXY, image, files: all, rights, ...way }, request);
}

/** The arguments that are the same on every node. */
function kubeProxyArguments({ version, podSubnet, hnsNetwork }: ManifestRequest): readonly string[] {
  return [
    '--v=2',
    '--proxy-mode=kernelspace',
    '--enable-dsr=true',
    `--cluster-cidr=${podSubnet}`,
    `--network-name=${hnsNetwork}`,
    ...(isOnByDefault(version) ? [] : ['--feature-gates=WinDSR=true,WinOverlay=true']),
  ];
}

/** Both gates are on since 1.33, and to go after 1.36: a gate that is gone keeps kube-proxy from starting. */
function isOnByDefault(version: string): boolean {
  return isAtLeast(version, 33);
}

function sourceAddressRequest(network: string): string {
  const ipam = { type: 'host-local', dataDir: CNI.addresses, ranges: [[{ subnet: 'NODE_SUBNET' }]] };
  return JSON.stringify({ cniVersion: '0.3.1', name: network, ipam });
}

const KUBE_PROXY_SCRIPT = String.raw`$ErrorActionPreference = 'Stop'
$mount = $env:CONTAINER_SANDBOX_MOUNT_POINT

# An image can contain the program; that of the node was installed by "keadm kube prepare".
$programs = @("$mount\kube-proxy\kube-proxy.exe", $env:NODE_PROGRAM)
$program = $programs | Where-Object { Test-Path $_ } | Select-Object -First 1
if (-not $program) {
    throw "There is no kube-proxy.exe at $($programs -join ' or '): run keadm kube prepare --with kube-proxy on this node"
}

# kube-proxy exits while the network does not exist; the network plugin creates it.
while (-not ($network = Get-HnsNetwork | Where-Object Name -EQ $env:KUBE_NETWORK)) {
    Write-Output "waiting for the HNS network $env:KUBE_NETWORK"
    Start-Sleep -Seconds 5
}

# An overlay needs a separate, stable address on every node.
function Get-SourceAddress {
    $endpoint = Get-HnsEndpoint | Where-Object Name -EQ "$($env:KUBE_NETWORK)_ep"
    if ($endpoint) { return $endpoint.IPAddress }
    $owner = 'kube-proxy-source-address'
    $taken = Get-ChildItem "$env:CNI_STATE\$env:KUBE_NETWORK" -File -ErrorAction SilentlyContinue |
        Where-Object { (Get-Content $_.FullName -First 1) -eq $owner } | Select-Object -First 1
    if ($taken) { return $taken.Name }
    $env:CNI_COMMAND = 'ADD'
    $env:CNI_CONTAINERID = $owner
    $env:CNI_NETNS = $owner
    $env:CNI_IFNAME = $owner
    $request = Get-Content -Raw "$mount${MOUNTS.files}\source-address.json"
    $answer = $request.Replace('NODE_SUBNET', $network.Subnets[0].AddressPrefix) | & "$env:CNI_PATH\host-local.exe"
    if ($LASTEXITCODE -ne 0) { throw "No address is left for kube-proxy: $answer" }
    return ("$answer" | ConvertFrom-Json).ips[0].address.Split('/')[0]
}

# Remove the policies that an earlier kube-proxy left.
Get-HnsPolicyList | Remove-HnsPolicyList

$arguments = @("--kubeconfig=$mount${MOUNTS.access}\kubeconfig", "--hostname-override=$env:NODE_NAME")
$arguments += Get-Content "$mount${MOUNTS.files}\arguments.txt"
if ($network.Type -eq 'Overlay') { $arguments += "--source-vip=$(Get-SourceAddress)" }
& $program @arguments
exit $LASTEXITCODE
`;

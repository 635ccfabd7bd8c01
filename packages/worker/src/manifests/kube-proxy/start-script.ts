import { MOUNTS } from '../parts/part.ts';

/** What the pod of kube-proxy runs. Kept to what only the node itself can know. */
export const KUBE_PROXY_SCRIPT = String.raw`$ErrorActionPreference = 'Stop'
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

import { MOUNTS } from '../parts/part.ts';

/** What the pod of Flannel runs. Kept to what only the node itself can know. */
export const FLANNEL_SCRIPT = String.raw`$ErrorActionPreference = 'Stop'
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

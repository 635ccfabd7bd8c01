# Installs containerd with a network for Windows containers on a machine that no one needs afterwards. The network is
# the one named "nat" that Windows makes with its feature "Containers". Every download is checked against the checksum
# that its project publishes beside it, where there is one.
$ErrorActionPreference = 'Stop'
$containerd = '1.7.24'
$plugins = '0.3.1'
$folder = "$env:ProgramFiles\containerd"
$downloads = "https://github.com/containerd/containerd/releases/download/v$containerd"
$archive = "containerd-$containerd-windows-amd64.tar.gz"

New-Item -ItemType Directory -Force "$folder\cni\bin", "$folder\cni\conf" | Out-Null
curl.exe --fail --silent --show-error --location --remote-name "$downloads/$archive"
if ($LASTEXITCODE -ne 0) { throw "Cannot download $archive" }
$published = (Invoke-RestMethod "$downloads/$archive.sha256sum").Split(' ')[0]
if ((Get-FileHash $archive).Hash -ne $published) { throw "The checksum of $archive is not the published one" }
tar.exe -xf $archive -C $folder --strip-components 1
if ($LASTEXITCODE -ne 0) { throw "Cannot unpack $archive" }

$zip = "windows-container-networking-cni-amd64-v$plugins.zip"
Invoke-WebRequest "https://github.com/microsoft/windows-container-networking/releases/download/v$plugins/$zip" -OutFile $zip
Expand-Archive -Force $zip "$folder\cni\bin"

$subnet = (Get-HnsNetwork | Where-Object Name -EQ 'nat').Subnets[0]
@{
  cniVersion   = '0.3.0'
  name         = 'nat'
  type         = 'nat'
  master       = 'Ethernet'
  ipam         = @{ subnet = $subnet.AddressPrefix; routes = @(@{ gateway = $subnet.GatewayAddress }) }
  capabilities = @{ portMappings = $true; dns = $true }
} | ConvertTo-Json -Depth 5 | Set-Content "$folder\cni\conf\10-nat.conf"

& "$folder\containerd.exe" config default | Set-Content "$folder\config.toml"
& "$folder\containerd.exe" --register-service
if ($LASTEXITCODE -ne 0) { throw 'Cannot register the service of containerd' }
Start-Service containerd

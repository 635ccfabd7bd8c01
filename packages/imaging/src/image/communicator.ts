import { BUILD_CERTIFICATE, BUILD_RULES } from '../provision/cloudbase.ts';
import type { ImageWishes } from './image-wishes.ts';

/** The lines of a source that say how the builder talks to the machine as this user. */
export function communicatorText({ communicator }: ImageWishes, user: string, password: string | undefined): string {
  const lines =
    communicator === 'winrm'
      ? [
          'communicator   = "winrm"',
          `winrm_username = "${user}"`,
          ...(password === undefined ? [] : [`winrm_password = ${password}`]),
          'winrm_use_ssl  = true',
          '# The certificate is self-signed, so it cannot be verified.',
          'winrm_insecure = true',
          'winrm_timeout  = "4h"',
        ]
      : [
          'communicator = "ssh"',
          `ssh_username = "${user}"`,
          ...(password === undefined ? [] : [`ssh_password = ${password}`]),
          'ssh_timeout  = "4h"',
        ];
  return lines.map((line) => `  ${line}\n`).join('');
}

/** PowerShell that lets the builder in by WinRM over TLS. */
const OPEN_WINRM = `
$certificate = New-SelfSignedCertificate -FriendlyName '${BUILD_CERTIFICATE}' -DnsName $env:COMPUTERNAME -CertStoreLocation Cert:\\LocalMachine\\My
Enable-PSRemoting -SkipNetworkProfileCheck -Force
Get-ChildItem -Path WSMan:\\localhost\\Listener | Where-Object { $_.Keys -contains 'Transport=HTTP' } | Remove-Item -Recurse -Force
New-Item -Path WSMan:\\localhost\\Listener -Transport HTTPS -Address '*' -CertificateThumbPrint $certificate.Thumbprint -Force | Out-Null
Set-Item -Path WSMan:\\localhost\\Service\\Auth\\Basic -Value $true
New-NetFirewallRule -DisplayName '${BUILD_RULES.winrm}' -Direction Inbound -Protocol TCP -LocalPort 5986 -Action Allow | Out-Null
`;

/** PowerShell that lets the builder in by OpenSSH, which is a part of Windows. */
const OPEN_SSH = `
$server = Get-WindowsCapability -Online -Name 'OpenSSH.Server*'
if ($server.State -ne 'Installed') { Add-WindowsCapability -Online -Name $server.Name | Out-Null }
Set-Service -Name sshd -StartupType Automatic
New-ItemProperty -Path 'HKLM:\\SOFTWARE\\OpenSSH' -Name DefaultShell -PropertyType String -Force -Value "$env:SystemRoot\\System32\\WindowsPowerShell\\v1.0\\powershell.exe" | Out-Null
New-NetFirewallRule -DisplayName '${BUILD_RULES.ssh}' -Direction Inbound -Protocol TCP -LocalPort 22 -Action Allow | Out-Null
Start-Service -Name sshd
`;

/** The script that opens the way in. It is shut before the image is sealed; the first start removes what is left of it. */
export function openingScript({ communicator }: ImageWishes): string {
  return `$ErrorActionPreference = 'Stop'${communicator === 'winrm' ? OPEN_WINRM : OPEN_SSH}`;
}

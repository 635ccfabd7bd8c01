import type { ImagePlatform } from './config.ts';
import { BUILD_FOLDER, type PlatformParts, type ProjectFile } from './image-wishes.ts';

const HEAD = `$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
Set-StrictMode -Version 3.0
`;

/** Fetches keadm and proves it, which it cannot do itself. */
const GET_KEADM = `${HEAD}
$folder = '${BUILD_FOLDER}'
$file = Join-Path $folder 'keadm.exe'
New-Item -ItemType Directory -Force -Path $folder | Out-Null
& "$env:SystemRoot\\System32\\icacls.exe" $folder /inheritance:r /grant '*S-1-5-18:(OI)(CI)F' '*S-1-5-32-544:(OI)(CI)F' | Out-Null
if ($LASTEXITCODE -ne 0) { throw "Cannot protect $folder" }
& "$env:SystemRoot\\System32\\curl.exe" --fail --silent --show-error --location --proto '=https' --retry 5 --output $file $env:KEADM_URL
if ($LASTEXITCODE -ne 0) { throw "Cannot fetch keadm: curl ended with $LASTEXITCODE" }
$found = (Get-FileHash -Algorithm SHA256 -Path $file).Hash
if ($found -ne $env:KEADM_SHA256) {
  Remove-Item -Force -Path $file
  throw "keadm.exe has the digest $found, but should have $env:KEADM_SHA256"
}
if ($env:KEADM_SIGNER) {
  $signature = Get-AuthenticodeSignature -FilePath $file
  if ($signature.Status -ne 'Valid') { throw "The signature of keadm.exe is $($signature.Status)" }
  $subject = $signature.SignerCertificate.Subject
  if (-not $subject.Contains($env:KEADM_SIGNER)) { throw "keadm.exe is signed by $subject" }
}
`;

/** Removes what a machine needed while it was built, and an image must not have. */
const CLEAN_UP = `${HEAD}
# The image must not log anyone in automatically, and no answer file may keep a password.
$logon = 'HKLM:\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Winlogon'
Set-ItemProperty -Path $logon -Name AutoAdminLogon -Value '0'
foreach ($name in 'DefaultPassword', 'DefaultUserName', 'AutoLogonCount') {
  Remove-ItemProperty -Path $logon -Name $name -ErrorAction SilentlyContinue
}
$answers = @(
  'C:\\unattend.xml',
  'C:\\autounattend.xml',
  'C:\\Windows\\Panther\\unattend.xml',
  'C:\\Windows\\Panther\\Unattend\\unattend.xml',
  'C:\\Windows\\System32\\Sysprep\\unattend.xml'
)
foreach ($answer in $answers) { Remove-Item -Force -Path $answer -ErrorAction SilentlyContinue }

# The remote access of the builder is disabled in machines made from the image. It keeps running until this machine stops.
foreach ($name in 'WinRM', 'sshd') {
  if (Get-Service -Name $name -ErrorAction SilentlyContinue) { Set-Service -Name $name -StartupType Disabled }
}

# Each machine made from the image generates new host keys.
foreach ($pattern in 'C:\\ProgramData\\ssh\\ssh_host_*', 'C:\\ProgramData\\ssh\\administrators_authorized_keys') {
  Remove-Item -Force -Path $pattern -ErrorAction SilentlyContinue
}

# Leftover temporary files; the builder removes its own.
Get-ChildItem -Path 'C:\\Windows\\Temp' -Force |
  Where-Object { $_.Name -notmatch '^(fenestra$|script-|packer-)' } |
  Remove-Item -Recurse -Force -ErrorAction SilentlyContinue
Remove-Item -Recurse -Force -Path 'C:\\Windows\\SoftwareDistribution\\Download\\*' -ErrorAction SilentlyContinue
`;

/** An image that is sealed while Azure's agents are still being set up fails to start now and then. */
const AWAIT_AGENTS = `
$deadline = (Get-Date).AddMinutes(10)
foreach ($name in 'RdAgent', 'WindowsAzureGuestAgent') {
  while ((Get-Service -Name $name).Status -ne 'Running') {
    if ((Get-Date) -gt $deadline) { throw "The service $name does not run" }
    Start-Sleep -Seconds 5
  }
}
`;

/** To the services of Amazon by the gateway of the build's own network: elsewhere a machine would find no metadata. */
const FORGET_ROUTES = `
foreach ($store in 'ActiveStore', 'PersistentStore') {
  Get-NetRoute -PolicyStore $store -ErrorAction SilentlyContinue |
    Where-Object { $_.DestinationPrefix -like '169.254.169.*' } |
    Remove-NetRoute -Confirm:$false
}
`;

const BEFORE_SEALING: Readonly<Record<ImagePlatform, string>> = {
  azure: AWAIT_AGENTS,
  aws: FORGET_ROUTES,
  vsphere: '',
  qemu: '',
};

/** Makes Windows forget which machine it was, so that cloudbase-init runs again at the next start. */
function sealScript(mode: 'quit' | 'shutdown', platform: ImagePlatform): string {
  return `${HEAD}${BEFORE_SEALING[platform]}
Remove-Item -Recurse -Force -Path '${BUILD_FOLDER}' -ErrorAction SilentlyContinue
$answer = 'C:\\Program Files\\Cloudbase Solutions\\Cloudbase-Init\\conf\\Unattend.xml'
if (-not (Test-Path -Path $answer)) { throw "cloudbase-init is not installed: $answer is not there" }
$sysprep = Join-Path $env:SystemRoot 'System32\\Sysprep\\Sysprep.exe'
$words = '/oobe', '/generalize', '/mode:vm', '/quiet', '/${mode}', ('"/unattend:{0}"' -f $answer)
${mode === 'quit' ? SEAL_AND_QUIT : SEAL_AND_SHUT_DOWN}`;
}

/** Whatever this script leaves running ends with it, so it waits. */
const SEAL_AND_SHUT_DOWN = `Start-Process -FilePath $sysprep -ArgumentList $words -Wait
`;

const SEAL_AND_QUIT = `Start-Process -FilePath $sysprep -ArgumentList $words

$wanted = 'IMAGE_STATE_GENERALIZE_RESEAL_TO_OOBE'
$key = 'HKLM:\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Setup\\State'
$deadline = (Get-Date).AddMinutes(30)
while ((Get-ItemProperty -Path $key).ImageState -ne $wanted) {
  if ((Get-Date) -gt $deadline) { throw "Sysprep did not reach the state $wanted" }
  Start-Sleep -Seconds 5
}
`;

/** The scripts of every project: what keadm cannot do before it is there, and after it has gone. */
export function scriptFiles(seals: PlatformParts['seals'], platform: ImagePlatform): readonly ProjectFile[] {
  return [
    { path: 'scripts/get-keadm.ps1', text: GET_KEADM },
    { path: 'scripts/clean-up.ps1', text: CLEAN_UP },
    { path: 'scripts/seal.ps1', text: sealScript(seals === 'as-step' ? 'quit' : 'shutdown', platform) },
  ];
}

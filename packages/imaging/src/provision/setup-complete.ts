import type { ImagePlatform } from '../image/config/schema.ts';
import { CLOUDBASE_SERVICE } from './cloudbase.ts';

/** What the rules of the firewall are called by which a machine lets its builder in. */
export const BUILD_RULES = { winrm: 'Image build: WinRM', ssh: 'Image build: OpenSSH' } as const;

/** What the certificate is called that the machine made for its builder. */
export const BUILD_CERTIFICATE = 'Image build';

/** What Windows runs once it is set up: only then may the service start, or it restarts the machine in the middle of it. */
export function setupCompleteText(platform: ImagePlatform): string {
  const lines = [
    '@echo off',
    ...CLOSE_BUILD,
    ...PORTS,
    ...(platform === 'azure' ? [PROTECT_WIRE_SERVER] : []),
    `sc.exe config ${CLOUDBASE_SERVICE} start= auto`,
    `net.exe start ${CLOUDBASE_SERVICE}`,
  ];
  return lines.map((line) => `${line}\r\n`).join('');
}

const REMOTE_MANAGEMENT = String.raw`HKLM\SOFTWARE\Microsoft\Windows\CurrentVersion\WSMAN`;

/** What is left of the builder's way in: until the image is sealed the builder needs it. */
const CLOSE_BUILD = [
  ...Object.values(BUILD_RULES).map((name) => `netsh.exe advfirewall firewall delete rule name="${name}" >nul`),
  String.raw`reg.exe add ${REMOTE_MANAGEMENT}\Service /v auth_basic /t REG_DWORD /d 0 /f >nul`,
  String.raw`reg.exe delete ${REMOTE_MANAGEMENT}\Listener\*+HTTPS /f >nul 2>&1`,
  powershell(
    String.raw`Get-ChildItem -Path Cert:\LocalMachine\My | Where-Object { $_.FriendlyName -eq '${BUILD_CERTIFICATE}' } | Remove-Item -DeleteKey`,
  ),
];

/** Ports that programs get by chance are none of those that Kubernetes gives to services, 30000 to 32767. */
const PORTS = ['tcp', 'udp'].map(
  (protocol) => `netsh.exe interface ipv4 set dynamicport ${protocol} start=34000 num=31536 >nul`,
);

/**
 * Azure's wire server gives a machine its certificates and settings, so that only the system may ask it; see
 * https://nvd.nist.gov/vuln/detail/CVE-2021-27075. Of a rule that blocks, who is denied is spared.
 */
const PROTECT_WIRE_SERVER = powershell(
  "New-NetFirewallRule -DisplayName 'Wire server: for the system alone' -Direction Outbound -Protocol TCP -RemoteAddress 168.63.129.16 -RemotePort 80 -Action Block -LocalUser 'O:LSD:(D;;CC;;;S-1-5-18)(A;;CC;;;S-1-1-0)' | Out-Null",
);

function powershell(command: string): string {
  return `powershell.exe -NoProfile -NonInteractive -Command "${command}"`;
}

import { win32 } from 'node:path';
import type { Phase, Step } from '@fenestra/kernel';
import { installPackage, setStartType, writeFile } from '@fenestra/steps';
import type { ImagePlatform } from '../image/config.ts';
import type { ProvisionFacts } from './provision-facts.ts';

/** cloudbase-init's name as a service. */
export const CLOUDBASE_SERVICE = 'cloudbase-init';

/** Each platform's way to say who a machine is and what it is to do. */
const METADATA_SERVICES: Readonly<Record<ImagePlatform, readonly string[]>> = {
  azure: ['azureservice.AzureService'],
  aws: ['ec2service.EC2Service'],
  vsphere: ['vmwareguestinfoservice.VMwareGuestInfoService'],
  qemu: ['configdrive.ConfigDriveService', 'nocloudservice.NoCloudConfigDriveService'],
};

const SET_HOST_NAME = 'common.sethostname.SetHostNamePlugin';
const USER_DATA = 'common.userdata.UserDataPlugin';
const MTU = 'common.mtu.MTUPlugin';

const PLATFORM_PLUGINS: Readonly<Record<ImagePlatform, readonly string[]>> = {
  azure: ['windows.azureguestagent.AzureGuestAgentPlugin'],
  aws: [],
  vsphere: ['common.networkconfig.NetworkConfigPlugin'],
  qemu: ['common.networkconfig.NetworkConfigPlugin'],
};

interface CloudbaseSettings {
  readonly platform: ImagePlatform;
  /** Where cloudbase-init is installed. */
  readonly folder: string;
}

/** The service's configuration. The host name is set before user-data runs, because a change of it restarts. */
export function cloudbaseConf(settings: CloudbaseSettings): string {
  const plugins = [
    MTU,
    'windows.ntpclient.NTPClientPlugin',
    SET_HOST_NAME,
    'windows.createuser.CreateUserPlugin',
    'common.sshpublickeys.SetUserSSHPublicKeysPlugin',
    ...PLATFORM_PLUGINS[settings.platform],
    'windows.extendvolumes.ExtendVolumesPlugin',
    'common.setuserpassword.SetUserPasswordPlugin',
    USER_DATA,
  ];
  const flow = { allow_reboot: 'true', stop_service_on_exit: 'true', ...(settings.platform === 'azure' ? REPORT : {}) };
  return confText(settings, 'cloudbase-init.log', plugins, flow);
}

/** Azure gives up a machine that does not say itself that it is ready. */
const REPORT = { metadata_report_provisioning_started: 'true', metadata_report_provisioning_completed: 'true' };

/** The configuration of the run before the first start. It does not restart the machine, because Windows does so anyway. */
export function cloudbaseUnattendConf(settings: CloudbaseSettings): string {
  const flow = { allow_reboot: 'false', stop_service_on_exit: 'false' };
  return confText(settings, 'cloudbase-init-unattend.log', [MTU, SET_HOST_NAME], flow);
}

function confText(
  { platform, folder }: CloudbaseSettings,
  logFile: string,
  plugins: readonly string[],
  flow: Readonly<Record<string, string>>,
): string {
  const values = {
    username: 'capi',
    groups: 'Administrators',
    inject_user_password: 'true',
    first_logon_behaviour: 'no',
    rename_admin_user: 'true',
    user_password_length: '64',
    // Windows itself cuts names for NetBIOS; cut here, two machines could get the same one.
    netbios_host_name_compatibility: 'false',
    check_latest_version: 'false',
    ...flow,
    bsdtar_path: win32.join(folder, 'bin', 'bsdtar.exe'),
    mtools_path: win32.join(folder, 'bin', '\\'),
    local_scripts_path: win32.join(folder, 'LocalScripts', '\\'),
    verbose: 'true',
    // With it the log would hold the user-data, and the user-data a token.
    debug: 'false',
    logdir: win32.join(folder, 'log', '\\'),
    logfile: logFile,
    metadata_services: METADATA_SERVICES[platform].map((name) => `cloudbaseinit.metadata.services.${name}`).join(','),
    plugins: plugins.map((name) => `cloudbaseinit.plugins.${name}`).join(','),
  };
  const sections = platform === 'qemu' ? ['', '[config_drive]', 'raw_hdd=true', 'cdrom=true', 'vfat=true'] : [];
  return toLines(['[DEFAULT]', ...Object.entries(values).map(([key, value]) => `${key}=${value}`), ...sections]);
}

function toLines(lines: readonly string[]): string {
  return lines.map((text) => `${text}\r\n`).join('');
}

/** Whether a configuration sets the host name before it processes user-data, or does not process user-data. */
export function namesHostFirst(conf: string): boolean {
  const [, list = ''] = /^\s*plugins\s*=\s*(.*?)\s*$/m.exec(conf) ?? [];
  const plugins = list.split(',').map((name) => name.trim().split('.').at(-1));
  const [name, userData] = [plugins.indexOf('SetHostNamePlugin'), plugins.indexOf('UserDataPlugin')];
  return userData === -1 || (name !== -1 && name < userData);
}

/** The system account may create users and change disks; a separate account would have a password in the image. */
const PROPERTIES = ['RUN_SERVICE_AS_LOCAL_SYSTEM=1'];

/** cloudbase-init sets the host name before it processes user-data, and does not start before Windows is set up. */
export const installCloudbase: Phase<ProvisionFacts> = {
  id: 'install-cloudbase-init',
  title: 'Install cloudbase-init',
  plan: (facts) => [...install(facts), ...texts(facts), ...startType(facts)],
};

function install({ cloudbaseInPlace, layout }: ProvisionFacts): readonly Step[] {
  if (cloudbaseInPlace) return [];
  const file = win32.join(layout.stagingFolder, 'cloudbase-init.msi');
  return [installPackage({ file, properties: PROPERTIES, service: CLOUDBASE_SERVICE })];
}

/** A package that is installed again overwrites its configuration. */
function texts({ cloudbaseInPlace, cloudbaseTexts }: ProvisionFacts): readonly Step[] {
  return cloudbaseTexts.filter(({ isCurrent }) => !isCurrent || !cloudbaseInPlace).map(writeFile);
}

function startType({ cloudbaseInPlace, cloudbaseStart }: ProvisionFacts): readonly Step[] {
  if (cloudbaseInPlace && cloudbaseStart === 'manual') return [];
  return [setStartType({ service: CLOUDBASE_SERVICE, startType: 'manual' })];
}

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

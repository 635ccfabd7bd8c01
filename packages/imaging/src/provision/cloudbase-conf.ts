import { win32 } from 'node:path';
import type { ImagePlatform } from '@fenestra/contracts';

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

/** Only Azure's agent reports to its platform that a machine is ready. */
const PLATFORM_PLUGINS: Readonly<Record<ImagePlatform, readonly string[]>> = {
  azure: ['windows.azureguestagent.AzureGuestAgentPlugin'],
  aws: [],
  vsphere: ['common.networkconfig.NetworkConfigPlugin'],
  qemu: ['common.networkconfig.NetworkConfigPlugin'],
};

/** What both files depend on. */
export interface CloudbaseSettings {
  readonly platform: ImagePlatform;
  /** Where cloudbase-init is installed. */
  readonly folder: string;
}

/**
 * The service's configuration. The host name comes before the user-data: a change of the name restarts the machine, and
 * a node that joined before it would have the old one.
 */
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
  return confText(settings, 'cloudbase-init.log', plugins, { allow_reboot: 'true', stop_service_on_exit: 'true' });
}

/** The configuration of the run before the first start: what it changes needs no restart of its own, for one follows anyway. */
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
  return lines(['[DEFAULT]', ...Object.entries(values).map(([key, value]) => `${key}=${value}`), ...sections]);
}

/** What the rules of the firewall are called by which a machine lets its builder in. */
export const BUILD_RULES = ['Image build: WinRM', 'Image build: OpenSSH'];

/**
 * What Windows runs once it is set up: only then may the service start, or it restarts the machine in the middle of it.
 * The builder's way in is closed here, because until the image is sealed the builder needs it.
 */
export function setupCompleteText(): string {
  const service = String.raw`HKLM\SOFTWARE\Microsoft\Windows\CurrentVersion\WSMAN\Service`;
  return lines([
    '@echo off',
    ...BUILD_RULES.map((name) => `netsh.exe advfirewall firewall delete rule name="${name}" >nul`),
    `reg.exe add ${service} /v auth_basic /t REG_DWORD /d 0 /f >nul`,
    'call winrm.cmd delete winrm/config/Listener?Address=*+Transport=HTTPS >nul 2>&1',
    'sc.exe config cloudbase-init start= auto',
    'net.exe start cloudbase-init',
  ]);
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `${text}\r\n`).join('');
}

/** Whether a configuration has the host name set before user-data is heeded, or heeds none. */
export function namesHostFirst(conf: string): boolean {
  const [, list = ''] = /^\s*plugins\s*=\s*(.*?)\s*$/m.exec(conf) ?? [];
  const plugins = list.split(',').map((name) => name.trim().split('.').at(-1));
  const [name, userData] = [plugins.indexOf('SetHostNamePlugin'), plugins.indexOf('UserDataPlugin')];
  return userData === -1 || (name !== -1 && name < userData);
}

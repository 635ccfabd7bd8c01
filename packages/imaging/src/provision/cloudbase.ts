import { win32 } from 'node:path';
import type { Phase, Step } from '@fenestra/kernel';
import { installPackage, setStartType, writeFile } from '@fenestra/steps';
import type { ImagePlatform } from '../image/config/schema.ts';
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

/** What a platform needs besides. */
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

import { gzipSync } from 'node:zlib';
import { powershellText } from '@fenestra/platform';
import { requireRunnable, type UserDataCommand } from '../user-data/request.ts';
import { commandsScript, SENTINEL } from '../user-data/script-base.ts';
import { BOOTSTRAP, metadata, poolName, type PoolObject } from './machines.ts';
import type { NodePoolConfig } from './node-pool-config.ts';

const BEFORE = String.raw`C:\run\cluster-api\prepare.ps1`;
const AFTER = String.raw`C:\run\cluster-api\finish.ps1`;
/** In images of image-builder, whose kubelet does not see its extra arguments before this is run. */
const RESTART = String.raw`C:\k\RestartKubelet.ps1`;
const JOIN_FILE = String.raw`C:\run\kubeadm\kubeadm-join-config.yaml`;

/**
 * The join does not run after a failed preparation, and the token must not stay: the user-data brings it again. It is a
 * separate line, where the exit code is expanded before `del` changes it, in a form that lint recognises as the end of
 * the script.
 */
const ENDS_AFTER_FAILURE = `if not %ERRORLEVEL%==0 (del /f /q ${JOIN_FILE} & cmd /c exit %ERRORLEVEL% || exit /b %ERRORLEVEL%)`;

/** What a machine does to become a node. Throws `CONFIG_INVALID` for commands that it could not run. */
export function bootstrapTemplate(config: NodePoolConfig): PoolObject {
  requireRunnable([...placed('preCommands', config), ...placed('postCommands', config)], 'CONFIG_INVALID');
  return { ...BOOTSTRAP, metadata: metadata(config), spec: { template: { spec: bootstrapSpec(config) } } };
}

function placed(field: 'preCommands' | 'postCommands', config: NodePoolConfig): readonly UserDataCommand[] {
  return (config[field] ?? []).map((text, index) => ({ text, place: `${field}[${index}]` }));
}

function bootstrapSpec(config: NodePoolConfig): PoolObject {
  const { preCommands = [], postCommands = [], sshKeys = [] } = config;
  const settings = dnsSettings(config);
  const before =
    preCommands.length + settings.length === 0 ? undefined : commandsScript('before', preCommands, settings);
  const after = postCommands.length === 0 ? undefined : commandsScript('after', postCommands, []);
  return {
    files: [...azureFile(config), ...scriptFile(BEFORE, before), ...scriptFile(AFTER, after)],
    ...(sshKeys.length === 0
      ? {}
      : { users: [{ name: 'capi', groups: 'Administrators', sshAuthorizedKeys: sshKeys }] }),
    preKubeadmCommands: [...azureRights(config), ...(before === undefined ? [] : [runScript(BEFORE)])].flatMap(
      (command) => [command, ENDS_AFTER_FAILURE],
    ),
    joinConfiguration: { nodeRegistration: registration(config) },
    postKubeadmCommands: [
      `del /f /q ${JOIN_FILE}`,
      ...[RESTART, ...(after === undefined ? [] : [AFTER])].map(runAfterJoin),
    ],
  };
}

/** Nothing is finished that has not begun. */
function runAfterJoin(path: string): string {
  return `if exist ${SENTINEL} if exist ${path} ${runScript(path)}`;
}

function runScript(path: string): string {
  return `powershell.exe -NoProfile -NonInteractive -ExecutionPolicy RemoteSigned -File ${path}`;
}

/** Packed, so that Jinja finds no braces in it and the API takes its length. */
function scriptFile(path: string, script: string | undefined): readonly PoolObject[] {
  if (script === undefined) return [];
  const content = gzipSync(script, { level: 9 }).toString('base64');
  return [{ path, encoding: 'gzip+base64', permissions: '0644', content }];
}

function dnsSettings({ dnsSuffix }: NodePoolConfig): readonly string[] {
  return dnsSuffix === undefined
    ? []
    : [`Set-DnsClientGlobalSetting -SuffixSearchList @(${powershellText(dnsSuffix)})`];
}

/** What programs on Azure's machines know of their cloud; the provider makes the secret. */
function azureFile(config: NodePoolConfig): readonly PoolObject[] {
  if (config.provider !== 'azure') return [];
  const secret = { name: `${poolName(config)}-azure-json`, key: 'worker-node-azure.json' };
  return [{ path: 'C:/k/azure.json', permissions: '0644', contentFrom: { secret } }];
}

/** It may hold a secret, so only the system and administrators may read it. */
function azureRights({ provider }: NodePoolConfig): readonly string[] {
  if (provider !== 'azure') return [];
  return [String.raw`icacls C:\k\azure.json /inheritance:r /grant:r *S-1-5-18:F /grant:r *S-1-5-32-544:F`];
}

function registration({ labels = {}, taints = [], kubeletExtraArgs = {} }: NodePoolConfig): PoolObject {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return {
    name: '{{ ds.meta_data["local_hostname"] }}',
    criSocket: 'npipe:////./pipe/containerd-containerd',
    kubeletExtraArgs: {
      'cloud-provider': 'external',
      'windows-priorityclass': 'ABOVE_NORMAL_PRIORITY_CLASS',
      ...(pairs.length === 0 ? {} : { 'node-labels': pairs.join(',') }),
      ...kubeletExtraArgs,
    },
    ...(taints.length === 0 ? {} : { taints }),
  };
}

import type { RemoteAuth, RemoteTarget } from '@fenestra/platform';
import { configValue } from './config-value.ts';

const ALIVE_COUNT = 3;
const DEFAULT_PORT = 22;
const CIPHERS = '^aes128-gcm@openssh.com,aes256-gcm@openssh.com';
const METHODS: Readonly<Record<RemoteAuth['kind'], string>> = {
  agent: 'publickey',
  key: 'publickey',
  password: 'password',
  'keyboard-interactive': 'keyboard-interactive',
};

/** What ssh has to know beside the machine itself. */
export interface SshConfig {
  readonly target: RemoteTarget;
  /** The first one is where a new key is recorded. */
  readonly knownHosts: readonly string[];
  readonly acceptNew: boolean;
  /** Prints the known_hosts line of a pinned key. */
  readonly pinCommand: string | undefined;
  readonly proxyCommand: string | undefined;
  /** Where the one connection for all commands can be found. */
  readonly controlPath: string | undefined;
  /** The user's own settings, which hold for all that is not said here. */
  readonly includes: readonly string[];
}

/** A configuration file for ssh. The first value counts, so what is said here wins over the user's own settings. */
export function sshConfigText(config: SshConfig): string {
  const lines = [
    'Host *',
    ...addressLines(config.target),
    ...authLines(config.target.auth),
    ...hostKeyLines(config),
    ...connectionLines(config),
    // Below "Host *", so that it holds always; ssh ignores a file that is not there.
    ...config.includes.map((file) => `Include ${configValue(file)}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** Whether ssh has to be told a secret while it logs in. */
export function needsSecret(auth: readonly RemoteAuth[]): boolean {
  return auth.some((way) => (way.kind === 'key' ? way.passphrase !== undefined : way.kind !== 'agent'));
}

function addressLines({ port, user }: RemoteTarget): readonly string[] {
  // The user's own settings may know another port for the host, unless one is asked for.
  return [`User ${configValue(user)}`, ...(port === DEFAULT_PORT ? [] : [`Port ${port}`])];
}

function authLines(auth: readonly RemoteAuth[]): readonly string[] {
  const keys = auth.filter((way) => way.kind === 'key');
  const agent = auth.find((way) => way.kind === 'agent');
  const methods = [...new Set(auth.map(({ kind }) => METHODS[kind]))];
  return [
    `BatchMode ${needsSecret(auth) ? 'no' : 'yes'}`,
    'NumberOfPasswordPrompts 1',
    ...(methods.length === 0 ? [] : [`PreferredAuthentications ${methods.join(',')}`]),
    ...(agent === undefined ? [] : [`IdentityAgent ${configValue(agent.socket)}`]),
    ...(auth.length > 0 && agent === undefined ? ['IdentityAgent none', 'IdentitiesOnly yes'] : []),
    ...keys.map(({ path }) => `IdentityFile ${configValue(path)}`),
    ...keys.flatMap(({ certificate }) =>
      certificate === undefined ? [] : [`CertificateFile ${configValue(certificate)}`],
    ),
  ];
}

function hostKeyLines({ knownHosts, acceptNew, pinCommand }: SshConfig): readonly string[] {
  const strict = `StrictHostKeyChecking ${acceptNew && pinCommand === undefined ? 'accept-new' : 'yes'}`;
  const offered = ['UpdateHostKeys no', 'VisualHostKey no', 'CheckHostIP no'];
  if (pinCommand !== undefined)
    return [
      strict,
      ...offered,
      'UserKnownHostsFile none',
      'GlobalKnownHostsFile none',
      `KnownHostsCommand ${pinCommand}`,
    ];
  const files = knownHosts.length === 0 ? 'none' : knownHosts.map(configValue).join(' ');
  return [strict, ...offered, `UserKnownHostsFile ${files}`, 'GlobalKnownHostsFile none'];
}

function connectionLines({ target, proxyCommand, controlPath }: SshConfig): readonly string[] {
  const { connectSeconds, silenceSeconds } = target.limits;
  return [
    `ConnectTimeout ${Math.ceil(connectSeconds)}`,
    `ServerAliveInterval ${Math.max(1, Math.round(silenceSeconds / ALIVE_COUNT))}`,
    `ServerAliveCountMax ${ALIVE_COUNT}`,
    `Ciphers ${CIPHERS}`,
    'Compression no',
    'ForwardAgent no',
    'ForwardX11 no',
    'ClearAllForwardings yes',
    'PermitLocalCommand no',
    'RequestTTY no',
    ...(proxyCommand === undefined ? [] : [`ProxyCommand ${proxyCommand}`]),
    ...(controlPath === undefined ? ['ControlPath none'] : [`ControlPath ${configValue(controlPath)}`]),
  ];
}

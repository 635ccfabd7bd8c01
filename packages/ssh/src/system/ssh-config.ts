import type { RemoteAuth, RemoteTarget } from '@fenestra/platform';
import { configValue, hostArgument } from './config-keywords.ts';

const ALIVE_COUNT = 3;
const DEFAULT_PORT = 22;
const CIPHERS = '^aes128-gcm@openssh.com,aes256-gcm@openssh.com';
const METHODS: Readonly<Record<RemoteAuth['kind'], string>> = {
  agent: 'publickey',
  key: 'publickey',
  password: 'password',
  'keyboard-interactive': 'keyboard-interactive',
};

/** What not every ssh knows. */
const NOT_EVERYWHERE = ['GSSAPIKeyExchange', 'SessionType', 'StdinNull', 'ForkAfterAuthentication'];

/** Nothing of this machine is lent to another one, and nothing is started besides what is asked for. */
const PLAIN_CONNECTION = [
  'ForwardAgent no',
  'ForwardX11 no',
  'GSSAPIDelegateCredentials no',
  'PermitLocalCommand no',
  'RemoteCommand none',
  'SessionType default',
  'StdinNull no',
  'ForkAfterAuthentication no',
];

/** Nothing but the known and the pinned keys proves that a machine is the right one. */
const ONLY_KNOWN_KEYS = [
  'UpdateHostKeys no',
  'VisualHostKey no',
  'CheckHostIP no',
  'VerifyHostKeyDNS no',
  'NoHostAuthenticationForLocalhost no',
  'GSSAPIKeyExchange no',
];

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
  /** The keywords that those settings allow an ssh not to know. */
  readonly ignored: readonly string[];
}

/**
 * A configuration file for ssh. The first value counts, so what is said here wins over the user's own settings. A machine
 * on the way that only those name is reached with this file as well: it is given nothing that is meant for the target, and
 * has to be known already.
 */
export function sshConfigText(config: SshConfig): string {
  const lines = [
    // The first such line counts as well, so it has to say what the user's own does.
    `IgnoreUnknown ${configValue([...NOT_EVERYWHERE, ...config.ignored].join(','))}`,
    `Host ${hostArgument(config.target.host)}`,
    ...addressLines(config.target),
    ...authLines(config.target),
    ...hostKeyLines(config),
    ...connectionLines(config),
    'Host *',
    'BatchMode yes',
    ...hostKeyLines({ ...config, acceptNew: false, pinCommand: undefined }),
    ...PLAIN_CONNECTION,
    'ControlPath none',
    ...includeLines(config.includes),
  ];
  return `${lines.join('\n')}\n`;
}

/** Brings in the user's own settings, whatever host they are for; ssh ignores a file that is not there. */
export function includeLines(files: readonly string[]): readonly string[] {
  return files.map((file) => `Include ${configValue(file)}`);
}

/** Who logs in, and where. */
export function addressLines({ port, user }: RemoteTarget): readonly string[] {
  // The user's own settings may know another port for the host, unless one is asked for.
  return [`User ${configValue(user)}`, ...(port === DEFAULT_PORT ? [] : [`Port ${port}`])];
}

function authLines({ auth, usualAuth = false }: RemoteTarget): readonly string[] {
  const keys = auth.filter((way) => way.kind === 'key');
  if (usualAuth) return ['BatchMode yes', ...keyLines(keys)];
  const agent = auth.find((way) => way.kind === 'agent');
  const methods = [...new Set(auth.map(({ kind }) => METHODS[kind]))];
  return [
    `BatchMode ${needsSecret(auth) ? 'no' : 'yes'}`,
    'NumberOfPasswordPrompts 1',
    ...(methods.length === 0 ? [] : [`PreferredAuthentications ${methods.join(',')}`]),
    ...(agent === undefined ? [] : [`IdentityAgent ${configValue(agent.socket)}`]),
    ...(auth.length > 0 && agent === undefined ? ['IdentityAgent none', 'IdentitiesOnly yes'] : []),
    ...keyLines(keys),
  ];
}

/** Whether ssh has to get a secret while it logs in. */
function needsSecret(auth: readonly RemoteAuth[]): boolean {
  return auth.some((way) => (way.kind === 'key' ? way.passphrase !== undefined : way.kind !== 'agent'));
}

function keyLines(keys: readonly Extract<RemoteAuth, { kind: 'key' }>[]): readonly string[] {
  return [
    ...keys.map(({ path }) => `IdentityFile ${configValue(path)}`),
    ...keys.flatMap(({ certificate }) =>
      certificate === undefined ? [] : [`CertificateFile ${configValue(certificate)}`],
    ),
  ];
}

function hostKeyLines({ knownHosts, acceptNew, pinCommand }: SshConfig): readonly string[] {
  const strict = `StrictHostKeyChecking ${acceptNew && pinCommand === undefined ? 'accept-new' : 'yes'}`;
  if (pinCommand !== undefined)
    return [
      strict,
      ...ONLY_KNOWN_KEYS,
      'UserKnownHostsFile none',
      'GlobalKnownHostsFile none',
      `KnownHostsCommand ${pinCommand}`,
    ];
  const files = knownHosts.length === 0 ? 'none' : knownHosts.map(configValue).join(' ');
  return [strict, ...ONLY_KNOWN_KEYS, `UserKnownHostsFile ${files}`, 'GlobalKnownHostsFile none'];
}

function connectionLines({ target, proxyCommand, controlPath }: SshConfig): readonly string[] {
  const { connectSeconds, idleTimeoutSeconds } = target.limits;
  return [
    `ConnectTimeout ${Math.ceil(connectSeconds)}`,
    `ServerAliveInterval ${Math.max(1, Math.round(idleTimeoutSeconds / ALIVE_COUNT))}`,
    `ServerAliveCountMax ${ALIVE_COUNT}`,
    `Ciphers ${CIPHERS}`,
    'Compression no',
    'ClearAllForwardings yes',
    'RequestTTY no',
    ...PLAIN_CONNECTION,
    ...(proxyCommand === undefined ? [] : [`ProxyCommand ${proxyCommand}`]),
    ...(controlPath === undefined ? ['ControlPath none'] : [`ControlPath ${configValue(controlPath)}`]),
  ];
}

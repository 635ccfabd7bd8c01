import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '@fenestra/kernel';
import type { RemoteAuth, RemoteLimits, RemoteTarget } from '@fenestra/platform';
import type { BatchEnvironment } from './batch.ts';
import type { Secret, SecretStore } from './secrets.ts';
import type { Login, LoginAuth } from './settings/login.ts';

/** How long to wait for a machine. */
export type ReachLimits = RemoteLimits;

/** What a login is made real with. */
export interface TargetMaking {
  readonly limits: ReachLimits;
  readonly secrets: SecretStore;
  readonly environment: BatchEnvironment;
}

/** A login with its secrets, which are asked for now. */
export async function remoteTarget(
  name: string,
  login: Login,
  making: TargetMaking,
  signal: AbortSignal,
): Promise<RemoteTarget> {
  const { host, port, user, hostKeys, transport } = login;
  const usualAuth = login.auth.length === 0;
  const auth = usualAuth
    ? usualWays(name, login, making.environment)
    : await Promise.all(login.auth.map(async (way) => remoteAuth(way, making, signal)));
  const jumps = await Promise.all(
    login.jumps.map(async (jump) => remoteTarget(`${name} via ${jump.host}`, jump, making, signal)),
  );
  return { name, host, port, user, auth, usualAuth, hostKeys, jumps, transport, limits: making.limits };
}

async function remoteAuth(
  way: LoginAuth,
  { secrets, environment }: TargetMaking,
  signal: AbortSignal,
): Promise<RemoteAuth> {
  const ask = async (secret: Secret): Promise<string> => secrets(secret, signal);
  switch (way.kind) {
    case 'agent':
      return { kind: 'agent', socket: way.socket ?? agentSocket(environment) };
    case 'key':
      return { ...way, passphrase: way.passphrase && (await ask(way.passphrase)) };
    case 'password':
      return { kind: 'password', password: await ask(way.password) };
    case 'keyboard-interactive':
      return { kind: 'keyboard-interactive', answer: await ask(way.answer) };
  }
}

function agentSocket({ variables }: BatchEnvironment): string {
  const socket = variables['SSH_AUTH_SOCK'];
  if (socket !== undefined && socket !== '') return socket;
  throw new OperatorError('SECRET_UNAVAILABLE', 'Cannot find an ssh agent: the variable "SSH_AUTH_SOCK" is not set', {
    hint: 'Start an agent (ssh-agent) and add a key to it (ssh-add), or configure another login method under "auth" in the batch file.',
  });
}

/** In the order in which ssh itself tries them. Those of FIDO devices come last: only the system's ssh can use them. */
const USUAL_KEYS = ['id_ed25519', 'id_ecdsa', 'id_rsa', 'id_ed25519_sk', 'id_ecdsa_sk'];

/** What this account logs in with when nothing is said: its agent, and the keys in its home folder. */
function usualWays(name: string, { transport }: Login, { variables }: BatchEnvironment): readonly RemoteAuth[] {
  const socket = variables['SSH_AUTH_SOCK'] ?? '';
  const home = variables['HOME'] ?? variables['USERPROFILE'];
  const settings = home === undefined ? undefined : join(home, '.ssh');
  const keys = settings === undefined ? [] : keysIn(settings);
  const ways: readonly RemoteAuth[] = [...(socket === '' ? [] : [{ kind: 'agent' as const, socket }]), ...keys];
  // The system's ssh may use other methods, such as GSSAPI, or keys that only its configuration names.
  const hasConfig = settings !== undefined && existsSync(join(settings, 'config'));
  const asksSsh = transport === 'auto' && (hasConfig || hasTicket(variables));
  if (ways.length > 0 || transport === 'system' || asksSsh) return ways;
  throw new OperatorError(
    'SECRET_UNAVAILABLE',
    `Cannot log in to "${name}": the batch file has no login method, and there is no default`,
    {
      hint: 'Add a login method under "auth" in the batch file, or start an ssh agent and add a key to it.',
    },
  );
}

/** Whether this account has a Kerberos ticket: where the variable says, or in the usual file. */
function hasTicket(variables: BatchEnvironment['variables']): boolean {
  const place = variables['KRB5CCNAME'];
  return place === undefined ? existsSync(`/tmp/krb5cc_${process.getuid?.()}`) : place !== '';
}

function keysIn(folder: string): readonly RemoteAuth[] {
  const paths = USUAL_KEYS.map((key) => join(folder, key)).filter((path) => existsSync(path));
  return paths.map((path) => ({ kind: 'key', path }));
}

import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '@fenestra/kernel';
import type { RemoteAuth, RemoteLimits, RemoteTarget } from '@fenestra/platform';
import type { BatchEnvironment } from './batch.ts';
import type { SecretStore } from './secrets/secret-store.ts';
import type { Secret } from './secrets/secret.ts';
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
  const auth =
    login.auth.length > 0
      ? await Promise.all(login.auth.map(async (way) => remoteAuth(way, making, signal)))
      : await usualAuth(name, login, making.environment);
  const jumps = await Promise.all(
    login.jumps.map(async (jump) => remoteTarget(`${name} via ${jump.host}`, jump, making, signal)),
  );
  return { name, host, port, user, auth, hostKeys, jumps, transport, limits: making.limits };
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
    hint: 'Start an agent (ssh-agent) and add a key to it (ssh-add), or name another way under "auth" in the batch file.',
  });
}

/** In the order in which ssh itself tries them. */
const USUAL_KEYS = ['id_ed25519', 'id_ecdsa', 'id_rsa'];

/** What this account logs in with when nothing is said: its agent, and the keys in its home folder. */
async function usualAuth(
  name: string,
  { transport }: Login,
  { variables }: BatchEnvironment,
): Promise<readonly RemoteAuth[]> {
  const socket = variables['SSH_AUTH_SOCK'] ?? '';
  const home = variables['HOME'] ?? variables['USERPROFILE'];
  const paths = home === undefined ? [] : USUAL_KEYS.map((key) => join(home, '.ssh', key));
  const keys = await Promise.all(
    paths.map(async (path) => ((await isThere(path)) ? [{ kind: 'key' as const, path }] : [])),
  );
  const ways: readonly RemoteAuth[] = [...(socket === '' ? [] : [{ kind: 'agent' as const, socket }]), ...keys.flat()];
  // The system's ssh has ways of its own, such as hardware keys.
  if (ways.length > 0 || transport === 'system') return ways;
  throw new OperatorError(
    'SECRET_UNAVAILABLE',
    `Cannot log in to "${name}": the batch file names no way, and there is no usual one`,
    {
      hint: 'Name one under "auth" in the batch file, or start an ssh agent and add a key to it.',
    },
  );
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

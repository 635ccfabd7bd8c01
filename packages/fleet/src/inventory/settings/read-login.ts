import { joinPath } from '@fenestra/contracts/reading';
import { plainAddress } from '../file/scalars.ts';
import type { JumpSettings } from '../file/schema.ts';
import { type Layer, listOf, ownValue, pick, type Placed, unknownName } from './layers.ts';
import { type Login, type LoginReading, readAuth } from './login.ts';

const SSH_PORT = 22;

/** How a node is reached, by what all its layers say. */
export function nodeLogin(path: string, layers: readonly Layer[], reading: LoginReading): Login {
  const [own] = layers;
  const ip = own?.settings.ssh?.ip ?? '';
  if (ip === '') reading.findings.problem(`${path}.ssh.ip`, 'must be given');
  return { ...loginOf(ip, `${path}.ssh`, layers, reading), jumps: jumpsOf(layers, reading) };
}

/** A machine on the way says itself how to log in there; what it leaves out is as in the defaults. */
function jumpLogin({ value, path }: Placed<JumpSettings>, reading: LoginReading): Login {
  const ip = value.ip ?? '';
  if (ip === '') reading.findings.problem(`${path}.ip`, 'must be given');
  const layers: readonly JumpLayer[] = [
    { path, settings: { ssh: value }, inner: true },
    { path: 'defaults', settings: reading.file.defaults ?? {} },
  ];
  return { ...loginOf(ip, path, layers, reading), jumps: [] };
}

/** A layer whose path is already the one of its login. */
interface JumpLayer extends Layer {
  readonly inner?: boolean;
}

function loginOf(ip: string, path: string, layers: readonly JumpLayer[], reading: LoginReading): Omit<Login, 'jumps'> {
  const placed = layers.map(({ inner, ...layer }) => ({
    ...layer,
    path: inner === true ? layer.path : `${layer.path}.ssh`,
  }));
  const user = pick(placed, 'username', ({ ssh }) => ssh?.username);
  if (user === undefined) reading.findings.problem(`${path}.username`, 'must be given, here or in the defaults');
  const auth = pick(placed, 'auth', ({ ssh }) => ssh?.auth);
  const hostKeys = pick(placed, 'hostKey', ({ ssh }) => ssh?.hostKey);
  return {
    host: plainAddress(ip),
    port: pick(placed, 'port', ({ ssh }) => ssh?.port)?.value ?? SSH_PORT,
    user: user?.value ?? '',
    auth: auth === undefined ? [] : readAuth(auth, reading),
    hostKeys: hostKeys === undefined ? [] : hostKeysOf(hostKeys, reading),
    transport: pick(placed, 'transport', ({ ssh }) => ssh?.transport)?.value ?? 'auto',
  };
}

const HOST_KEY = /^(SHA256:[A-Za-z0-9+/]{43}=?|(ssh-|ecdsa-|sk-)[\w@.-]+ [A-Za-z0-9+/]+=*( .*)?)$/;

function hostKeysOf(
  { value, path }: Placed<string | readonly string[]>,
  { findings }: LoginReading,
): readonly string[] {
  const keys = listOf(value).map((key) => key.trim());
  for (const [index, key] of keys.entries()) {
    const at = Array.isArray(value) ? `${path}[${index}]` : path;
    if (!HOST_KEY.test(key))
      findings.problem(at, 'must be a fingerprint ("SHA256:…") or a public key ("ssh-ed25519 AAAA…")');
  }
  return keys;
}

function jumpsOf(layers: readonly Layer[], reading: LoginReading): readonly Login[] {
  const jumps = pick(layers, 'ssh.jump', ({ ssh }) => ssh?.jump);
  return listOf(jumps?.value).flatMap((jump, index) => {
    const path = `${jumps?.path}${Array.isArray(jumps?.value) ? `[${index}]` : ''}`;
    if (typeof jump !== 'string') return [jumpLogin({ value: jump, path }, reading)];
    const named = ownValue(reading.file.jumps, jump);
    if (named !== undefined) return [jumpLogin({ value: named, path: joinPath('jumps', jump) }, reading)];
    reading.findings.problem(path, unknownName('jump host', jump, Object.keys(reading.file.jumps ?? {})));
    return [];
  });
}

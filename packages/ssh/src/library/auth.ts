import { createPrivateKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { systemCodeOf } from '@fenestra/kernel';
import type { RemoteAuth } from '@fenestra/platform';
import type { AnyAuthMethod } from 'ssh2';

/** One way to log in, ready to be tried. */
export interface AuthAttempt {
  /** As the server calls it. */
  readonly method: 'publickey' | 'password' | 'keyboard-interactive';
  /** What people read: `key "/root/.ssh/id"`. */
  readonly label: string;
  readonly auth: AnyAuthMethod;
}

/** The ways that can be tried, and what is wrong with the others. */
export interface PreparedAuth {
  readonly attempts: readonly AuthAttempt[];
  readonly problems: readonly string[];
}

/** Reads the keys, so that what is wrong with them is known before anyone is bothered. */
export async function prepareAuth(user: string, ways: readonly RemoteAuth[], keys: KeyRing): Promise<PreparedAuth> {
  const prepared = await Promise.all(ways.map(async (way) => prepare(user, way, keys)));
  return {
    attempts: prepared.filter((one) => typeof one !== 'string'),
    problems: prepared.filter((one) => typeof one === 'string'),
  };
}

async function prepare(username: string, way: RemoteAuth, keys: KeyRing): Promise<AuthAttempt | string> {
  switch (way.kind) {
    case 'agent':
      return agentAttempt(username, way.socket);
    case 'key':
      return keyAttempt(username, way, keys);
    case 'password':
      return { method: 'password', label: 'password', auth: { type: 'password', username, password: way.password } };
    case 'keyboard-interactive':
      return answers(username, way.answer);
  }
}

function agentAttempt(username: string, agent: string): AuthAttempt | string {
  if (agent === '') return 'no agent runs (SSH_AUTH_SOCK is not set)';
  return { method: 'publickey', label: `agent "${agent}"`, auth: { type: 'agent', username, agent } };
}

function answers(username: string, answer: string): AuthAttempt {
  const type = 'keyboard-interactive';
  return {
    method: type,
    label: type,
    auth: { type, username, prompt: (_name, _text, _language, questions, reply) => reply(questions.map(() => answer)) },
  };
}

async function keyAttempt(
  username: string,
  { path, passphrase, certificate }: Extract<RemoteAuth, { kind: 'key' }>,
  keys: KeyRing,
): Promise<AuthAttempt | string> {
  const label = `key "${path}"`;
  if (certificate !== undefined) return `${label} has a certificate, which needs "transport: system"`;
  const key = await keys.read(path, passphrase);
  if (typeof key === 'string') return `${label} ${key}`;
  return { method: 'publickey', label, auth: { type: 'publickey', username, key } };
}

/** Chooses what to try next, and remembers what was tried and what the machine would take. */
export interface AuthOrder {
  /** Undefined when nothing is left. `wasHalfway`: the last proof was good, and another one is required. */
  next(offered: readonly string[] | undefined, wasHalfway: boolean): AuthAttempt | undefined;
  tried(): readonly string[];
  /** What the machine did not ask for. */
  untried(): readonly string[];
  offered(): readonly string[];
}

/** Each way once, in order. A machine that requires two proofs asks for the second one only after the first. */
export function authOrder(attempts: readonly AuthAttempt[]): AuthOrder {
  const left = [...attempts];
  const tried: string[] = [];
  let lastOffer: readonly string[] = [];
  /** Tried before the machine had said what it takes. */
  let guess: AuthAttempt | undefined;

  function takeBackGuess(offered: readonly string[]): void {
    if (guess === undefined || offered.includes(guess.method)) return;
    left.unshift(guess);
    tried.pop();
    guess = undefined;
  }

  return {
    next(offered, wasHalfway) {
      lastOffer = offered ?? lastOffer;
      if (offered !== undefined && !wasHalfway) takeBackGuess(offered);
      const index = left.findIndex(({ method }) => offered === undefined || offered.includes(method));
      const [attempt] = index === -1 ? [] : left.splice(index, 1);
      if (attempt !== undefined) tried.push(attempt.label);
      guess = offered === undefined ? attempt : undefined;
      return attempt;
    },
    tried: () => tried,
    untried: () => left.map(({ label }) => label),
    offered: () => lastOffer,
  };
}

import ssh2, { type ParsedKey } from 'ssh2';

/** Private keys, each of which is read once. */
export interface KeyRing {
  /** The key, or why there is none: completes `key "x" …`. */
  read(path: string, passphrase: string | undefined): Promise<ParsedKey | string>;
}

/** Remembers the keys that were read: to open one with a passphrase blocks everything for a third of a second. */
export function keyRing(): KeyRing {
  const known = new Map<string, Promise<ParsedKey | string>>();
  return {
    async read(path, passphrase) {
      const name = JSON.stringify([path, passphrase]);
      const reading = known.get(name) ?? readKeyFile(path, passphrase);
      known.set(name, reading);
      const key = await reading;
      // The next who asks may find it fixed.
      if (typeof key === 'string') known.delete(name);
      return key;
    },
  };
}

async function readKeyFile(path: string, passphrase: string | undefined): Promise<ParsedKey | string> {
  try {
    return readKey(await readFile(path, 'utf8'), passphrase);
  } catch (error) {
    return `cannot be read (${systemCodeOf(error)})`;
  }
}

function readKey(text: string, passphrase: string | undefined): ParsedKey | string {
  const key = ssh2.utils.parseKey(text, passphrase);
  if (!(key instanceof Error)) return key.isPrivateKey() ? key : 'is a public key, not a private one';
  if (/no passphrase/i.test(key.message) || (passphrase === undefined && /encrypted/i.test(text.slice(0, 200))))
    return 'needs a passphrase, and none is given';
  if (/integrity|passphrase/i.test(key.message)) return 'has another passphrase';
  return readPkcs8(text, passphrase);
}

/** The library does not know the format that OpenSSL writes by default; Node does. */
function readPkcs8(text: string, passphrase: string | undefined): ParsedKey | string {
  try {
    const key = createPrivateKey({ key: text, ...(passphrase === undefined ? {} : { passphrase }) });
    const type = key.asymmetricKeyType === 'rsa' ? 'pkcs1' : 'sec1';
    const parsed = ssh2.utils.parseKey(key.export({ format: 'pem', type }));
    return parsed instanceof Error ? 'is in a format that is not known' : parsed;
  } catch {
    return passphrase === undefined ? 'is in a format that is not known' : 'cannot be opened with its passphrase';
  }
}

import { createPrivateKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { systemCodeOf } from '@fenestra/kernel';
import type { RemoteAuth } from '@fenestra/platform';
import ssh2, { type AnyAuthMethod, type ParsedKey } from 'ssh2';

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

/** Reads the keys, so that what is wrong with them is known before anybody is bothered. */
export async function prepareAuth(user: string, ways: readonly RemoteAuth[]): Promise<PreparedAuth> {
  const prepared = await Promise.all(ways.map(async (way) => prepare(user, way)));
  return {
    attempts: prepared.filter((one) => typeof one !== 'string'),
    problems: prepared.filter((one) => typeof one === 'string'),
  };
}

async function prepare(username: string, way: RemoteAuth): Promise<AuthAttempt | string> {
  switch (way.kind) {
    case 'agent':
      return agentAttempt(username, way.socket);
    case 'key':
      return keyAttempt(username, way);
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

async function keyAttempt(username: string, way: Extract<RemoteAuth, { kind: 'key' }>): Promise<AuthAttempt | string> {
  const label = `key "${way.path}"`;
  if (way.certificate !== undefined) return `${label} has a certificate, which needs "transport: system"`;
  try {
    const key = readKey(await readFile(way.path, 'utf8'), way.passphrase);
    if (typeof key === 'string') return `${label} ${key}`;
    return { method: 'publickey', label, auth: { type: 'publickey', username, key } };
  } catch (error) {
    return `${label} cannot be read (${systemCodeOf(error)})`;
  }
}

/** The key, or why there is none: completes `key "x" …`. */
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

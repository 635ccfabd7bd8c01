import type { RemoteAuth } from '@fenestra/platform';
import type { AnyAuthMethod } from 'ssh2';
import type { KeyRing } from './key-ring.ts';

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

import type { AuthSettings } from '../file/ssh-schema.ts';
import { listOf, type Placed } from './layers.ts';
import type { LoginAuth, LoginReading } from './login.ts';
import type { Findings } from './problems.ts';
import { readSecret } from './read-secret.ts';

/** The ways to log in that a field holds. */
export function readAuth(
  { value, path }: Placed<AuthSettings | readonly AuthSettings[]>,
  reading: LoginReading,
): readonly LoginAuth[] {
  return listOf(value).flatMap((auth, index) => {
    const read = authOf(auth, Array.isArray(value) ? `${path}[${index}]` : path, reading);
    return read === undefined ? [] : [read];
  });
}

function authOf(auth: AuthSettings, path: string, reading: LoginReading): LoginAuth | undefined {
  noteUnused(auth, path, reading.findings);
  const { passwordAuth, privateKeyAuth, agentAuth, keyboardInteractiveAuth } = auth;
  const secret = (written: string | undefined, field: string) => readSecret(written, `${path}.${field}`, reading);
  switch (auth.type) {
    case undefined:
      reading.findings.problem(
        `${path}.type`,
        'must be given: "password", "privateKey", "agent" or "keyboard-interactive"',
      );
      return undefined;
    case 'agent':
      return { kind: 'agent', socket: resolveGiven(agentAuth?.socket, reading) };
    case 'privateKey':
      return keyAuth(privateKeyAuth ?? {}, `${path}.privateKeyAuth`, reading);
    case 'password': {
      const password = secret(passwordAuth?.password, 'passwordAuth.password');
      return password && { kind: 'password', password };
    }
    case 'keyboard-interactive': {
      const answer = secret(keyboardInteractiveAuth?.answer, 'keyboardInteractiveAuth.answer');
      return answer && { kind: 'keyboard-interactive', answer };
    }
  }
}

const PARTS = {
  password: 'passwordAuth',
  privateKey: 'privateKeyAuth',
  agent: 'agentAuth',
  'keyboard-interactive': 'keyboardInteractiveAuth',
} as const;

function noteUnused(auth: AuthSettings, path: string, findings: Findings): void {
  const { type } = auth;
  if (type === undefined) return;
  for (const part of Object.values(PARTS)) {
    if (auth[part] !== undefined && part !== PARTS[type]) {
      findings.note(`${path}.${part}`, `is not used, since the type is "${type}"`);
    }
  }
}

function keyAuth(
  { privateKeyPath = '', passphrase, certificatePath = '' }: NonNullable<AuthSettings['privateKeyAuth']>,
  path: string,
  reading: LoginReading,
): LoginAuth | undefined {
  const hidden =
    passphrase === undefined || passphrase === '' ? undefined : readSecret(passphrase, `${path}.passphrase`, reading);
  if (certificatePath !== '') reading.needsFile(certificatePath, `${path}.certificatePath`);
  if (privateKeyPath === '') {
    reading.findings.problem(`${path}.privateKeyPath`, 'must be given');
    return undefined;
  }
  reading.needsFile(privateKeyPath, `${path}.privateKeyPath`);
  const certificate = resolveGiven(certificatePath, reading);
  return { kind: 'key', path: reading.paths.resolve(privateKeyPath), passphrase: hidden, certificate };
}

function resolveGiven(written: string | undefined, { paths }: LoginReading): string | undefined {
  return written === undefined || written === '' ? undefined : paths.resolve(written);
}

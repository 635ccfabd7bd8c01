import type { RemoteTarget } from '@fenestra/platform';
import { isProblem } from '../command/split-words.ts';
import type { AuthSettings, BatchFile } from '../file/schema.ts';
import { parseSecret, type Secret } from '../secrets.ts';
import type { ClearSecrets, Findings } from './findings.ts';
import { listOf, type Placed } from './layers.ts';
import type { PathResolver } from './paths.ts';

/** How to log in to a machine, with secrets still to be asked for. */
export interface Login {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** Empty: whatever this account usually logs in with. */
  readonly auth: readonly LoginAuth[];
  readonly hostKeys: readonly string[];
  readonly jumps: readonly Login[];
  readonly transport: RemoteTarget['transport'];
}

/** One way to log in. */
export type LoginAuth =
  | { readonly kind: 'agent'; readonly socket: string | undefined }
  | {
      readonly kind: 'key';
      readonly path: string;
      readonly passphrase: Secret | undefined;
      readonly certificate: string | undefined;
    }
  | { readonly kind: 'password'; readonly password: Secret }
  | { readonly kind: 'keyboard-interactive'; readonly answer: Secret };

/** What is needed to read the part of a file about logging in. */
export interface LoginReading {
  readonly file: BatchFile;
  readonly findings: Findings;
  readonly clear: ClearSecrets;
  readonly paths: PathResolver;
  /** A file of this machine that has to be there, by the field that names it. */
  readonly needsFile: (path: string, field: string) => void;
}

/** A secret that has to be given; one that stands there in clear is noted. */
export function readSecret(
  written: string | undefined,
  path: string,
  { findings, clear }: Pick<LoginReading, 'findings' | 'clear'>,
): Secret | undefined {
  const secret = parseSecret(written ?? '');
  if (isProblem(secret)) findings.problem(path, secret.problem);
  else if (secret.from === 'text' && secret.value === '') findings.problem(path, 'must be given');
  else if (secret.from === 'text') clear.found(path);
  return isProblem(secret) ? undefined : secret;
}

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

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { OperatorError, systemCodeOf } from '@fenestra/kernel';
import { childEnvironment } from '@fenestra/platform';
import type { BatchEnvironment } from './batch.ts';
import { isProblem, type Problem, splitText } from './command/split-words.ts';
import type { PathResolver } from './settings/paths.ts';

/** Where a secret comes from. */
export type Secret =
  | { readonly from: 'env'; readonly name: string }
  | { readonly from: 'file'; readonly path: string }
  | { readonly from: 'command'; readonly words: readonly string[] }
  /** It stands in the file itself. */
  | { readonly from: 'text'; readonly value: string };

/** Reads `env:NAME`, `file:PATH`, `command:WORDS`, or a text, which `clear:` may introduce. */
export function parseSecret(written: string): Secret | Problem {
  const [, from, rest = ''] = /^(env|file|command|clear):(.*)$/s.exec(written) ?? [];
  switch (from) {
    case 'env':
      return ENVIRONMENT_NAME.test(rest)
        ? { from, name: rest }
        : { problem: 'names no environment variable: write "env:NAME"' };
    case 'file':
      return rest === '' ? { problem: 'names no file: write "file:PATH"' } : { from, path: rest };
    case 'command':
      return commandSecret(rest);
    case 'clear':
      return { from: 'text', value: rest };
    case undefined:
    default:
      return { from: 'text', value: written };
  }
}

const ENVIRONMENT_NAME = /^[A-Za-z_]\w*$/;

function commandSecret(rest: string): Secret | Problem {
  const words = splitText(rest);
  if (isProblem(words)) return words;
  return words.length === 0
    ? { problem: 'names no command: write "command:PROGRAM ARGUMENT …"' }
    : { from: 'command', words };
}

/** Whether what goes by this name is to be hidden: a wildcard, or a flag of a command. */
export function isSecretName(name: string): boolean {
  return /token|passw(or)?d|passphrase|secret|api-?key/i.test(name) && !/[-_]?(file|path|stdin|dir)$/i.test(name);
}

/** Gets secrets when they are needed. Each is asked for once, however many nodes need it. */
export type SecretStore = (secret: Secret, signal: AbortSignal) => Promise<string>;

/** Opens the places that secrets of one batch come from. */
export function openSecrets({ variables }: BatchEnvironment, paths: PathResolver): SecretStore {
  const known = new Map<string, Promise<string>>();
  const ask = async (secret: Secret): Promise<string> => {
    switch (secret.from) {
      case 'text':
        return secret.value;
      case 'env':
        return fromEnvironment(secret.name, variables);
      case 'file':
        return fromFile(paths.resolve(secret.path));
      case 'command':
        return fromCommand(secret.words, paths.folder);
    }
  };
  return async (secret, signal) => {
    const key = JSON.stringify(secret);
    const asked = known.get(key) ?? ask(secret);
    known.set(key, asked);
    // What failed once may be there when it is asked for again.
    asked.catch(() => known.delete(key));
    return untilAborted(asked, signal);
  };
}

/** One who gives up waiting does not take the answer from the others. */
async function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const give = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', give, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', give);
  }
}

function fromEnvironment(name: string, variables: BatchEnvironment['variables']): string {
  const value = variables[name];
  if (value !== undefined && value !== '') return value;
  throw unavailable(`the environment variable "${name}" is not set`, `Set "${name}", then run the command again.`);
}

async function fromFile(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw unavailable(`"${path}" cannot be read (${systemCodeOf(cause)})`, 'Check the path and its rights.', cause);
  });
  return notEmpty(text, `"${path}" is empty`);
}

/** A password manager may ask its owner something first. */
const COMMAND_MILLISECONDS = 120_000;
const MOST_BYTES = 65_536;
/** What password managers and the command lines of cloud providers read, and how they ask their owner. */
const MANAGER_VARIABLES =
  /^(?:(?:VAULT|OP|BW|PASSWORD_STORE|GNUPG|GPG|PINENTRY|AWS|AZURE|GOOGLE|CLOUDSDK|XDG)[A-Z0-9_]*|SSH_AUTH_SOCK|DBUS_SESSION_BUS_ADDRESS|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY)$/;

async function fromCommand([program = '', ...args]: readonly string[], cwd: string): Promise<string> {
  const env = childEnvironment({}, MANAGER_VARIABLES);
  const limits = { cwd, env, timeout: COMMAND_MILLISECONDS, maxBuffer: MOST_BYTES, windowsHide: true };
  const { stdout } = await promisify(execFile)(program, args, limits).catch((cause: unknown) => {
    // The output of the command is not shown: some print the secret together with a warning.
    throw unavailable(`the command "${program}" failed (${exitOf(cause)})`, `Run "${program}" by hand to see why.`);
  });
  return notEmpty(stdout, `the command "${program}" printed nothing`);
}

function exitOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'unknown';
  if ('killed' in cause && cause.killed === true) return 'stopped after 2 minutes';
  return 'code' in cause && typeof cause.code === 'number' ? `exit code ${cause.code}` : systemCodeOf(cause);
}

/** A line break at the end belongs to the file and not to the secret. */
function notEmpty(text: string, otherwise: string): string {
  const secret = text.replace(/\r?\n$/, '');
  if (secret === '') throw unavailable(otherwise, 'Put the secret there, then run the command again.');
  return secret;
}

function unavailable(reason: string, hint: string, cause?: unknown): OperatorError {
  return new OperatorError('SECRET_UNAVAILABLE', `Cannot get a secret of the batch file: ${reason}`, { hint, cause });
}

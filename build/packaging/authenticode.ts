import { execFile } from 'node:child_process';
import { copyFile, rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { OperatorError } from '@fenestra/kernel';

/** Who signs programs and installers for Windows. */
export interface CodeSigner {
  /** A PEM file with the certificate and those above it. */
  readonly certificate: string;
  /** A PEM file with its private key. */
  readonly key: string;
  /** The address of a time-stamping authority; without one a signature ends with its certificate. */
  readonly timestampUrl: string | undefined;
}

const NAME = 'Fenestra';

/** The signer that these variables name; `undefined` if they name none. */
export function codeSignerOf(variables: Readonly<Record<string, string | undefined>>): CodeSigner | undefined {
  const certificate = variables['FENESTRA_CODE_CERTIFICATE'];
  const key = variables['FENESTRA_CODE_KEY'];
  if (certificate === undefined && key === undefined) return undefined;
  if (certificate !== undefined && key !== undefined) {
    return { certificate, key, timestampUrl: variables['FENESTRA_CODE_TIMESTAMP_URL'] || undefined };
  }
  throw new OperatorError('USAGE', 'Cannot sign for Windows: there is a certificate or a key, but not both', {
    hint: 'Set both FENESTRA_CODE_CERTIFICATE and FENESTRA_CODE_KEY, or neither.',
  });
}

/** Puts a signed copy of a program or package where it belongs; without a signer, a plain one. */
export async function signFile(from: string, to: string, signer: CodeSigner | undefined): Promise<void> {
  await rm(to, { force: true });
  if (signer === undefined) return copyFile(from, to);
  try {
    await promisify(execFile)('osslsigncode', [...signArguments(signer), '-in', from, '-out', to]);
  } catch {
    // What the tool says may name what unlocks the key.
    throw new OperatorError('COMMAND_FAILED', `Cannot sign "${to}" for Windows`, {
      hint: 'Make sure that the certificate belongs to the key, and that the key has no passphrase.',
    });
  }
}

/** The same as a command of the shell that signs `%1` in its place. */
export function signCommandLine(signer: CodeSigner): string {
  const words = signArguments(signer).map((word) => `"${word}"`);
  return `osslsigncode ${words.join(' ')} -in "%1" -out "%1.signed" && mv "%1.signed" "%1"`;
}

function signArguments({ certificate, key, timestampUrl }: CodeSigner): readonly string[] {
  const time = timestampUrl === undefined ? [] : ['-ts', timestampUrl];
  return ['sign', '-certs', certificate, '-key', key, '-h', 'sha256', '-n', NAME, ...time];
}

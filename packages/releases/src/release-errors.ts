import { OperatorError } from '@fenestra/kernel';
import type { AgentTarget, Digest } from './agent-source.ts';
import { executableTarget } from './executable-target.ts';

const GET_AGAIN = 'Get the release again from its source, then run the command again.';

/** A release, or a file of it, that is not what it should be. The message completes "Cannot …". */
export function releaseInvalid(action: string, hint = GET_AGAIN, cause?: unknown): OperatorError {
  return new OperatorError('RELEASE_INVALID', `Cannot ${action}`, { hint, cause });
}

/** A file whose bytes are not those that were promised. */
export function digestMismatch(name: string, expected: Digest, actual: string): OperatorError {
  const { algorithm, hex } = expected;
  const message = `Cannot use "${name}": its ${algorithm} digest is ${actual}, but should be ${hex}`;
  return new OperatorError('RELEASE_INVALID', message, { hint: GET_AGAIN, details: { expected: hex, actual } });
}

/** A program for another machine than this one. */
export function wrongTarget(name: string, found: AgentTarget | undefined, wanted: AgentTarget): OperatorError {
  const needs = `this machine needs one for ${describeTarget(wanted)}`;
  const is = found === undefined ? 'it is not an executable' : `it is a program for ${describeTarget(found)}`;
  return releaseInvalid(`use "${name}": ${is}, and ${needs}`, 'Give the file that is made for this machine.');
}

/** Throws unless a program that begins with these bytes is for the wanted machine. */
export function requireTarget(name: string, header: Uint8Array, wanted: AgentTarget): void {
  const found = executableTarget(header);
  if (found?.os !== wanted.os || found.arch !== wanted.arch) throw wrongTarget(name, found, wanted);
}

/** Throws unless this is the version that was asked for, if one was. */
export function requireVersion(origin: string, wanted: string | undefined, found: string): void {
  if (wanted !== undefined && wanted !== found) throw wrongVersion(origin, wanted, [found]);
}

/** A release that has everything but the version that was asked for. */
export function wrongVersion(origin: string, wanted: string, found: readonly string[]): OperatorError {
  const has = found.length === 0 ? 'there is no release there' : `it has ${found.join(', ')}`;
  const hint = found.length === 0 ? 'Check the path or address of the release.' : 'Ask for a version that it has.';
  return releaseInvalid(`find ${wanted} in "${origin}": ${has}`, hint);
}

/** Something that could be anyone's, because it came without a signature over a connection that anyone can change. */
export function plainHttpRefused(address: string): OperatorError {
  return new OperatorError('RELEASE_UNTRUSTED', `Cannot trust "${address}": plain HTTP needs a signed release`, {
    hint: 'Use an "https" address, or a release that is signed by a key you give with "--trust-key FILE".',
  });
}

/** For people: `linux x64`. */
export function describeTarget({ os, arch }: AgentTarget): string {
  return `${os} ${arch}`;
}

import { join, resolve } from 'node:path';
import { OperatorError } from '@fenestra/kernel';
import { pathExists } from '@fenestra/platform';
import type { AgentTarget, Digest } from '../agent-source.ts';
import { addressBelow, parseAddress, publicAddress, RELEASE_CREDENTIALS, releaseSecrets } from '../http/address.ts';
import { lookUp, lookUpSize } from '../http/lookup.ts';
import { digestMismatch, releaseInvalid, requireTarget, requireVersion } from '../release-errors.ts';
import { lookAt, readHeader, readIfAny } from '../sources/local-files.ts';
import { programVersion } from '../ask-program.ts';
import { CHECKSUM_ENDINGS, parseProgramChecksum, fileDigest } from './file-digest.ts';
import type { ProgramName, ProgramSource } from './program-source.ts';

/** Which program the operator wants. */
export interface ProgramRequest {
  readonly name: ProgramName;
  /** What `--from` says: a folder or an address. */
  readonly from: string;
  /** With a leading `v`. */
  readonly version: string;
  readonly target: AgentTarget;
  /** Whether the operator vouches for a program that has no checksum file beside it. */
  readonly withoutChecksum: boolean;
  /** The environment variables that name proxies. */
  readonly variables: NodeJS.ProcessEnv;
}

/**
 * Finds out where a program of Kubernetes is and which bytes it must have. It only reads: of what is on other machines
 * the checksum alone; what is on this one is proved and asked for its version.
 */
export async function resolveProgram(request: ProgramRequest, signal: AbortSignal): Promise<ProgramSource> {
  const url = parseAddress(request.from);
  return url === undefined ? localProgram(request, signal) : remoteProgram(url, request, signal);
}

async function localProgram(request: ProgramRequest, signal: AbortSignal): Promise<ProgramSource> {
  const { name, version, target } = request;
  const origin = resolve(request.from);
  if (!(await lookAt(origin)).isFolder) throw noFolder(origin);
  const location = await firstThere(publishedPlaces(request).map((place) => join(origin, ...place.split('/'))));
  if (location === undefined) throw notThere(name, origin, publishedPlaces(request));
  requireTarget(location, await readHeader(location), target);
  const digest = await provedDigest(location, request);
  requireVersion(location, version, await programVersion(name, location, signal));
  return { name, origin, version, target, location, size: (await lookAt(location)).size, digest };
}

/** The file's own digest, once its checksum file has vouched for it, or the operator instead of one. */
async function provedDigest(location: string, { withoutChecksum }: ProgramRequest): Promise<Digest> {
  const promised = await localChecksum(location);
  if (promised === undefined && !withoutChecksum) throw noChecksum(location);
  const hex = await fileDigest(location, 'sha256');
  if (promised !== undefined) {
    const actual = promised.algorithm === 'sha256' ? hex : await fileDigest(location, promised.algorithm);
    if (actual !== promised.hex) throw digestMismatch(location, promised, actual);
  }
  return { algorithm: 'sha256', hex };
}

async function localChecksum(location: string): Promise<Digest | undefined> {
  for (const ending of CHECKSUM_ENDINGS) {
    const text = await readIfAny(`${location}${ending}`);
    if (text !== undefined) return parseProgramChecksum(text.toString('utf8'), `${location}${ending}`, ending);
  }
  return undefined;
}

async function remoteProgram(url: URL, request: ProgramRequest, signal: AbortSignal): Promise<ProgramSource> {
  if (url.protocol !== 'https:') throw plainHttp(url);
  const { name, version, target, variables } = request;
  const credentials = releaseSecrets(request.from).get(RELEASE_CREDENTIALS);
  const access = { credentials, variables, httpsOnly: true };
  for (const place of publishedPlaces(request)) {
    const program = addressBelow(url, place);
    for (const ending of CHECKSUM_ENDINGS) {
      const checksum = new URL(`${program.href}${ending}`);
      const found = await lookUp({ ...access, url: checksum }, signal);
      if (found === undefined) continue;
      const digest = parseProgramChecksum(found.bytes.toString('utf8'), publicAddress(checksum), ending);
      const size = await lookUpSize({ ...access, url: program }, signal);
      if (size === undefined) throw releaseInvalid(`find "${publicAddress(program)}"`, 'Check the address.');
      const source = { name, origin: publicAddress(url), version, target, location: publicAddress(program), size };
      return { ...source, digest, ...(credentials === undefined ? {} : { credentials: RELEASE_CREDENTIALS }) };
    }
  }
  throw notThere(name, publicAddress(url), publishedPlaces(request));
}

async function firstThere(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) if (await pathExists(path)) return path;
  return undefined;
}

function noFolder(path: string): OperatorError {
  return new OperatorError('USAGE', `Cannot use programs from "${path}": it is not a folder`, {
    hint: 'Give the folder or the address of the programs.',
  });
}

function notThere(name: string, origin: string, looked: readonly string[]): OperatorError {
  return releaseInvalid(
    `find ${name} in "${origin}": there is none of ${looked.map((place) => `"${place}"`).join(', ')}`,
    'Check the path or address and the version; a program at an address needs its checksum file beside it.',
  );
}

function noChecksum(location: string): OperatorError {
  return new OperatorError('RELEASE_UNTRUSTED', `Cannot trust "${location}": its checksum file is missing`, {
    hint: 'Put its published ".sha512" or ".sha256" file beside it, or accept it with "--without-checksum".',
  });
}

function plainHttp(url: URL): OperatorError {
  return new OperatorError(
    'RELEASE_UNTRUSTED',
    `Cannot trust "${publicAddress(url)}": plain HTTP can be changed in transit`,
    {
      hint: 'Use an "https" address, or download the programs to a folder and give that folder.',
    },
  );
}

const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64', x86: '386', arm: 'arm' };

/**
 * Where a program of a version may be below what the operator named, each as a relative path with `/`: as Kubernetes
 * publishes it, the same without the version's folder, and the program alone.
 */
export function publishedPlaces({
  name,
  version,
  target: { os, arch },
}: Pick<ProgramRequest, 'name' | 'version' | 'target'>): readonly string[] {
  const file = os === 'windows' ? `${name}.exe` : name;
  const published = `bin/${os}/${ARCHITECTURES[arch] ?? arch}/${file}`;
  return [`${version}/${published}`, published, `${version}/${file}`, file];
}

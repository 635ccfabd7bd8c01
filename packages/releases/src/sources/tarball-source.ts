import { basename, dirname, join, posix } from 'node:path';
import {
  checksumName,
  parseChecksum,
  parseTarballName,
  agentMember,
  type UpstreamTarball,
} from '../manifest/upstream-release.ts';
import type { AgentSource, AgentTarget } from '../agent-source.ts';
import { unpackAgent } from '../archive/unpack-agent.ts';
import type { MemberSink } from '../archive/read-member.ts';
import { publicAddress } from '../http/address.ts';
import { lookUp, lookUpSize } from '../http/lookup.ts';
import { releaseInvalid, wrongTarget, requireVersion } from '../release-errors.ts';
import type { CheckedRequest } from './agent-request.ts';
import { lookAt, readIfAny } from './local-files.ts';
import type { Access } from './release-source.ts';

const NOWHERE: MemberSink = { begin: async () => {}, write: async () => {} };

/** An upstream tarball with its checksum file beside it. It is read until it ends, so that a bad one fails before any plan. */
export async function localTarball(path: string, request: CheckedRequest, signal: AbortSignal): Promise<AgentSource> {
  const tarball = parseTarballName(basename(path));
  if (tarball === undefined) throw unknownTarball(path);
  requireFitting(tarball, request);
  const checksum = join(dirname(path), checksumName(tarball.name));
  const text = await readIfAny(checksum);
  if (text === undefined) throw checksumMissing(path, checksum);
  const sha512 = parseChecksum(text.toString('utf8'), checksum);
  const { size } = await lookAt(path);
  const source = sourceOfTarball(tarball, request.target, { origin: path, location: path, size, sha512 });
  return { ...source, executableSha256: await digestInside(path, source, signal) };
}

async function digestInside(path: string, { digest, target, member = '' }: AgentSource, signal: AbortSignal) {
  return unpackAgent({ path, digest, target, member }, NOWHERE, signal);
}

/** An upstream tarball at an address, with its checksum file beside it; `undefined` if there is no checksum file. */
export async function remoteTarball(
  url: URL,
  request: CheckedRequest,
  access: Access,
  signal: AbortSignal,
): Promise<AgentSource | undefined> {
  const tarball = parseTarballName(posix.basename(url.pathname));
  const location = publicAddress(url);
  if (tarball === undefined) throw unknownTarball(location);
  requireFitting(tarball, request);
  const checksum = new URL(checksumName(tarball.name), location);
  const text = await lookUp({ ...access, url: checksum, httpsOnly: true }, signal);
  if (text === undefined) return undefined;
  const sha512 = parseChecksum(text.bytes.toString('utf8'), checksum.href);
  const size = await lookUpSize({ ...access, url: new URL(location), httpsOnly: true }, signal);
  if (size === undefined) throw releaseInvalid(`find "${location}"`, 'Check the address and the version.');
  return sourceOfTarball(tarball, request.target, { origin: location, location, size, sha512 });
}

/** What an upstream tarball is and where. */
export interface TarballPlace {
  readonly origin: string;
  readonly location: string;
  readonly size: number;
  readonly sha512: string;
}

/** Refuses a tarball of another version or for another machine than was asked for. */
function requireFitting(tarball: UpstreamTarball, { from, version, target }: CheckedRequest): void {
  requireVersion(from, version, tarball.version);
  if (tarball.os !== target.os || tarball.arch !== target.arch) throw wrongTarget(tarball.name, tarball, target);
}

function sourceOfTarball(tarball: UpstreamTarball, target: AgentTarget, place: TarballPlace): AgentSource {
  const { origin, location, size, sha512 } = place;
  return {
    origin,
    version: tarball.version,
    kind: 'upstream',
    target,
    form: 'archive',
    location,
    size,
    digest: { algorithm: 'sha512', hex: sha512 },
    signed: false,
    member: agentMember(tarball),
  };
}

/** A tarball that nothing vouches for. */
export function checksumMissing(tarball: string, checksum: string): Error {
  return releaseInvalid(`use "${tarball}": there is no "${checksum}" beside it`, 'Put its checksum file beside it.');
}

function unknownTarball(name: string): Error {
  return releaseInvalid(
    `use "${name}": its name is not a KubeEdge release name`,
    'Keep its published name: "kubeedge-v1.23.0-linux-amd64.tar.gz".',
  );
}

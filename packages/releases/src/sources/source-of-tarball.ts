import { agentMember, type UpstreamTarball } from '../manifest/upstream-release.ts';
import type { AgentSource, AgentTarget } from '../agent-source.ts';
import { releaseInvalid, wrongTarget, wrongVersion } from '../release-errors.ts';
import type { CheckedRequest } from './agent-request.ts';

/** What an upstream tarball is and where. */
export interface TarballPlace {
  readonly origin: string;
  readonly location: string;
  readonly size: number;
  readonly sha512: string;
}

/** Refuses a tarball of another version or for another machine than was asked for. */
export function requireFitting(tarball: UpstreamTarball, { from, version, target }: CheckedRequest): void {
  if (version !== undefined && tarball.version !== version) throw wrongVersion(from, version, [tarball.version]);
  if (tarball.os !== target.os || tarball.arch !== target.arch) throw wrongTarget(tarball.name, tarball, target);
}

/** What a plan needs to know of an upstream tarball. */
export function sourceOfTarball(tarball: UpstreamTarball, target: AgentTarget, place: TarballPlace): AgentSource {
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

/** A tarball whose name does not say what it is. */
export function unknownTarball(name: string): Error {
  return releaseInvalid(
    `use "${name}": its name is not one of upstream's`,
    'Keep the name it was published under: "kubeedge-v1.23.0-linux-amd64.tar.gz".',
  );
}

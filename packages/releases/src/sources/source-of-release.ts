import type { ReleaseFile } from '../manifest/release-manifest.ts';
import type { TrustedRelease } from '../manifest/read-release.ts';
import type { AgentSource } from '../agent-source.ts';
import { describeTarget, releaseInvalid } from '../release-errors.ts';
import type { CheckedRequest } from './agent-request.ts';

/** The file of a release that is made for the machine; throws if there is none. */
export function fileForTarget({ manifest }: TrustedRelease, { target, from }: CheckedRequest): ReleaseFile {
  const file = manifest.files.find(({ os, arch }) => os === target.os && arch === target.arch);
  if (file !== undefined) return file;
  const has = manifest.files.map(describeTarget).join(', ');
  throw releaseInvalid(
    `use "${from}": release ${manifest.version} has nothing for ${describeTarget(target)}, only for ${has}`,
    'Get a release that is made for this machine.',
  );
}

/** What a plan needs to know of a release's file. */
export function sourceOfRelease(
  { manifest, signedBy }: TrustedRelease,
  { os, arch, size, sha256 }: ReleaseFile,
  place: { readonly origin: string; readonly location: string },
): AgentSource {
  return {
    ...place,
    version: manifest.version,
    kind: 'fenestra',
    target: { os, arch },
    form: 'file',
    size,
    digest: { algorithm: 'sha256', hex: sha256 },
    signed: signedBy !== undefined,
    executableSha256: sha256,
  };
}

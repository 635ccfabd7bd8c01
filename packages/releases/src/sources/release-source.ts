import { join } from 'node:path';
import {
  readRelease,
  RELEASE_FILE,
  SIGNATURE_FILE,
  type ReleaseFile,
  type TrustedRelease,
} from '../manifest/release-manifest.ts';
import type { AgentSource } from '../agent-source.ts';
import { releaseInvalid, plainHttpRefused, describeTarget, requireVersion } from '../release-errors.ts';
import { addressBelow, publicAddress } from '../http/address.ts';
import { lookUp } from '../http/lookup.ts';
import type { UrlRequest } from '../http/open-url.ts';
import type { CheckedRequest } from './agent-request.ts';
import { lookAt, readIfAny } from './local-files.ts';

/** The release in a folder, or `undefined` if the folder holds none. */
export async function localRelease(folder: string, request: CheckedRequest): Promise<AgentSource | undefined> {
  const bytes = await readIfAny(join(folder, RELEASE_FILE));
  if (bytes === undefined) return undefined;
  const signature = await readIfAny(join(folder, SIGNATURE_FILE));
  const release = readRelease(bytes, signature?.toString('utf8'), request.trustKeys);
  const { version } = release.manifest;
  requireVersion(folder, request.version, version);
  const file = fileForTarget(release, request);
  const location = join(folder, ...file.path.split('/'));
  await requireSize(location, file.size);
  return sourceOfRelease(release, file, { origin: folder, location });
}

/** A file that was cut off is found here, before any plan; one that was changed is found while it is fetched. */
async function requireSize(path: string, expected: number): Promise<void> {
  const { size } = await lookAt(path);
  if (size !== expected) throw releaseInvalid(`use "${path}": it has ${size} bytes, but should have ${expected}`);
}

/** How to reach an address; each request adds which one. */
export type Access = Pick<UrlRequest, 'credentials' | 'variables'>;

/**
 * The release at a folder's address, or `undefined` if there is none. A signed one may come by plain HTTP, because what
 * was changed on the way does not pass; any other must come by HTTPS.
 */
export async function remoteRelease(
  folder: URL,
  request: CheckedRequest,
  access: Access,
  signal: AbortSignal,
): Promise<AgentSource | undefined> {
  const ask = (name: string) =>
    lookUp({ ...access, url: addressBelow(folder, name), httpsOnly: request.trustKeys.length === 0 }, signal);
  const manifest = await ask(RELEASE_FILE);
  if (manifest === undefined) return undefined;
  const signature = await ask(SIGNATURE_FILE);
  const release = readRelease(manifest.bytes, signature?.bytes.toString('utf8'), request.trustKeys);
  if (release.signedBy === undefined && !manifest.secure) throw plainHttpRefused(publicAddress(folder));
  const { version } = release.manifest;
  const origin = publicAddress(folder);
  requireVersion(origin, request.version, version);
  const file = fileForTarget(release, request);
  return sourceOfRelease(release, file, { origin, location: addressBelow(folder, file.path).href });
}

/** The file of a release that is made for the machine; throws if there is none. */
function fileForTarget({ manifest }: TrustedRelease, { target, from }: CheckedRequest): ReleaseFile {
  const file = manifest.files.find(({ os, arch }) => os === target.os && arch === target.arch);
  if (file !== undefined) return file;
  const has = manifest.files.map(describeTarget).join(', ');
  throw releaseInvalid(
    `use "${from}": release ${manifest.version} has nothing for ${describeTarget(target)}, only for ${has}`,
    'Use a release for this operating system and processor.',
  );
}

function sourceOfRelease(
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

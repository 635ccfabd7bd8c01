import { readRelease } from '../manifest/read-release.ts';
import { RELEASE_FILE, SIGNATURE_FILE } from '../manifest/release-manifest.ts';
import type { AgentSource } from '../agent-source.ts';
import { addressBelow, publicAddress } from '../http/address.ts';
import { lookUp } from '../http/lookup.ts';
import type { UrlRequest } from '../http/open-url.ts';
import { plainHttpRefused, wrongVersion } from '../release-errors.ts';
import type { CheckedRequest } from './agent-request.ts';
import { fileForTarget, sourceOfRelease } from './source-of-release.ts';

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
  if (request.version !== undefined && request.version !== version)
    throw wrongVersion(origin, request.version, [version]);
  const file = fileForTarget(release, request);
  return sourceOfRelease(release, file, { origin, location: addressBelow(folder, file.path).href });
}

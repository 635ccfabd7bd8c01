import { posix } from 'node:path';
import { checksumName, parseChecksum, parseTarballName } from '../manifest/upstream-release.ts';
import type { AgentSource } from '../agent-source.ts';
import { publicAddress } from '../http/address.ts';
import { lookUp, lookUpSize } from '../http/lookup.ts';
import { releaseInvalid } from '../release-errors.ts';
import type { CheckedRequest } from './agent-request.ts';
import type { Access } from './remote-release.ts';
import { requireFitting, sourceOfTarball, unknownTarball } from './source-of-tarball.ts';

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

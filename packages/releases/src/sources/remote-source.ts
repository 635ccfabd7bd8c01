import { posix } from 'node:path';
import { isVersion } from '@fenestra/contracts';
import { checksumName, tarballName } from '../manifest/upstream-release.ts';
import type { AgentSource } from '../agent-source.ts';
import { addressBelow, publicAddress, RELEASE_CREDENTIALS, releaseSecrets } from '../http/address.ts';
import { releaseInvalid, wrongVersion } from '../release-errors.ts';
import type { CheckedRequest } from './agent-request.ts';
import { type Access, remoteRelease } from './release-source.ts';
import { remoteTarball, checksumMissing } from './tarball-source.ts';

/** What an address leads to: a tarball, a release's folder, or a folder of such folders named by version. */
export async function remoteSource(
  url: URL,
  request: CheckedRequest,
  variables: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<AgentSource> {
  const credentials = releaseSecrets(request.from).get(RELEASE_CREDENTIALS);
  const wanted = { ...request, from: publicAddress(url) };
  const find = /\.t(ar\.)?gz$/.test(url.pathname) ? tarballAt : sourceInFolder;
  const source = await find(url, wanted, { credentials, variables }, signal);
  return credentials === undefined ? source : { ...source, credentials: RELEASE_CREDENTIALS };
}

async function tarballAt(url: URL, request: CheckedRequest, access: Access, signal: AbortSignal): Promise<AgentSource> {
  const source = await remoteTarball(url, request, access, signal);
  if (source !== undefined) return source;
  throw checksumMissing(publicAddress(url), checksumName(posix.basename(url.pathname)));
}

/** A server does not list what it has, so every place that may hold the wanted version is asked. */
async function sourceInFolder(
  url: URL,
  request: CheckedRequest,
  access: Access,
  signal: AbortSignal,
): Promise<AgentSource> {
  const { version } = request;
  const below = version === undefined || isNamedByVersion(url) ? [] : [addressBelow(url, `${version}/`)];
  for (const folder of [...below, url]) {
    const source =
      (await remoteRelease(folder, request, access, signal)) ?? (await upstreamIn(folder, request, access, signal));
    if (source !== undefined) return source;
  }
  throw version === undefined ? nothingThere(request.from) : wrongVersion(request.from, version, []);
}

async function upstreamIn(
  folder: URL,
  request: CheckedRequest,
  access: Access,
  signal: AbortSignal,
): Promise<AgentSource | undefined> {
  const { os, arch } = request.target;
  const version = request.version ?? (isNamedByVersion(folder) ? posix.basename(folder.pathname) : undefined);
  // Only a name that can be known without a list can be asked for.
  if (version === undefined || folder.protocol !== 'https:' || (arch !== 'x64' && arch !== 'arm64')) return undefined;
  return remoteTarball(addressBelow(folder, tarballName(version, os, arch)), request, access, signal);
}

function isNamedByVersion({ pathname }: URL): boolean {
  return isVersion(posix.basename(pathname));
}

function nothingThere(address: string): Error {
  return releaseInvalid(
    `find a release at "${address}": there is no "release.json"`,
    'Check the address. If it has several versions, choose one with "--version".',
  );
}

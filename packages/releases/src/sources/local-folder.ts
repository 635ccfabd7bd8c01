import { join } from 'node:path';
import { isVersion } from '@fenestra/contracts';
import { parseTarballName, type UpstreamTarball } from '../manifest/upstream-release.ts';
import type { AgentSource } from '../agent-source.ts';
import { releaseInvalid, wrongVersion } from '../release-errors.ts';
import type { CheckedRequest } from './agent-request.ts';
import { namesIn } from './local-files.ts';
import { localRelease } from './release-source.ts';
import { localTarball } from './tarball-source.ts';

/** A folder with a release, with upstream's tarballs, or with either in subfolders named by version. */
export async function localFolder(folder: string, request: CheckedRequest, signal: AbortSignal): Promise<AgentSource> {
  const versions = (await namesIn(folder)).filter(isVersion);
  const named = versions.find((name) => request.version === `v${name.replace(/^v/, '')}`);
  const source = await inFolder(named === undefined ? folder : join(folder, named), request, signal);
  if (source !== undefined) return source;
  if (request.version !== undefined) throw wrongVersion(folder, request.version, versions);
  throw versions.length === 0 ? nothingThere(folder) : severalVersions(folder, versions);
}

async function inFolder(
  folder: string,
  request: CheckedRequest,
  signal: AbortSignal,
): Promise<AgentSource | undefined> {
  return (await localRelease(folder, request)) ?? (await tarballIn(folder, request, signal));
}

async function tarballIn(
  folder: string,
  request: CheckedRequest,
  signal: AbortSignal,
): Promise<AgentSource | undefined> {
  const all = (await namesIn(folder)).map(parseTarballName).filter((found) => found !== undefined);
  const fitting = all.filter((tarball) => fits(tarball, request));
  if (fitting.length > 1) throw severalVersions(folder, versionsOf(fitting));
  // One that does not fit is looked at all the same: why it does not is what the operator wants to know.
  const chosen = fitting[0] ?? all[0];
  if (fitting.length === 0 && all.length > 1)
    throw wrongVersion(
      folder,
      describeWish(request),
      all.map(({ name }) => name),
    );
  return chosen === undefined ? undefined : localTarball(join(folder, chosen.name), request, signal);
}

function fits(tarball: UpstreamTarball, { version, target }: CheckedRequest): boolean {
  const isForTarget = tarball.os === target.os && tarball.arch === target.arch;
  return isForTarget && (version === undefined || version === tarball.version);
}

function describeWish({ version, target }: CheckedRequest): string {
  return `${version ?? 'a version'} for ${target.os} ${target.arch}`;
}

function versionsOf(tarballs: readonly UpstreamTarball[]): readonly string[] {
  return tarballs.map(({ version }) => version);
}

function severalVersions(folder: string, versions: readonly string[]): Error {
  return releaseInvalid(
    `choose a version in "${folder}": it has ${versions.join(', ')}`,
    'Choose one with "--version".',
  );
}

function nothingThere(folder: string): Error {
  return releaseInvalid(
    `find a release in "${folder}": it contains neither "release.json" nor a KubeEdge tarball`,
    'Check the path of the release.',
  );
}

import { basename, dirname, resolve } from 'node:path';
import { versionTag } from '@fenestra/contracts';
import { digestOf } from '@fenestra/platform';
import { RELEASE_FILE } from '../manifest/release-manifest.ts';
import type { AgentSource } from '../agent-source.ts';
import { parseAddress } from '../http/address.ts';
import { type ExecutableVersion, executableVersion } from '../ask-program.ts';
import { requireTarget, requireVersion } from '../release-errors.ts';
import { type AgentRequest, checkRequest, type SourceEnvironment, type CheckedRequest } from './agent-request.ts';
import { lookAt, readHeader } from './local-files.ts';
import { localFolder } from './local-folder.ts';
import { localTarball } from './tarball-source.ts';
import { remoteSource } from './remote-source.ts';

/**
 * Finds out what `--from` leads to, and which bytes it promises. It only reads: of what is on other machines the small
 * files alone, of what is on this one as much as it takes to be sure.
 */
export async function resolveAgentSource(
  request: AgentRequest,
  environment: SourceEnvironment,
  signal: AbortSignal,
): Promise<AgentSource> {
  const checked = checkRequest(request);
  const url = parseAddress(request.from);
  if (url !== undefined) return remoteSource(url, checked, environment.variables, signal);
  const path = resolve(request.from);
  if ((await lookAt(path)).isFolder) return localFolder(path, checked, signal);
  if (basename(path) === RELEASE_FILE) return localFolder(dirname(path), checked, signal);
  if (/\.t(ar\.)?gz$/.test(path)) return localTarball(path, checked, signal);
  return localExecutable(path, checked, environment, signal);
}

/** A bare program, this very one or another. Anyone who may run it as an administrator vouches for it. */
async function localExecutable(
  path: string,
  request: CheckedRequest,
  environment: SourceEnvironment,
  signal: AbortSignal,
): Promise<AgentSource> {
  const { target } = request;
  requireTarget(path, await readHeader(path), target);
  const { kind, version } = await versionOf(path, environment, signal);
  requireVersion(path, request.version, version);
  const sha256 = await digestOf(path);
  return {
    origin: path,
    version,
    kind,
    target,
    form: 'file',
    location: path,
    size: (await lookAt(path)).size,
    digest: { algorithm: 'sha256', hex: sha256 },
    signed: false,
    executableSha256: sha256,
  };
}

async function versionOf(
  path: string,
  { executable, version }: SourceEnvironment,
  signal: AbortSignal,
): Promise<ExecutableVersion> {
  return path === executable ? { kind: 'fenestra', version: versionTag(version) } : executableVersion(path, signal);
}

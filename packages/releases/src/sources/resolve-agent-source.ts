import { basename, dirname, resolve } from 'node:path';
import { RELEASE_FILE } from '../manifest/release-manifest.ts';
import type { AgentSource } from '../agent-source.ts';
import { parseAddress } from '../http/address.ts';
import { type AgentRequest, checkRequest, type SourceEnvironment } from './agent-request.ts';
import { localExecutable } from './local-executable.ts';
import { lookAt } from './local-files.ts';
import { localFolder } from './local-folder.ts';
import { localTarball } from './local-tarball.ts';
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

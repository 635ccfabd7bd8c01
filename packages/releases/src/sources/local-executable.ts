import { versionTag } from '@fenestra/contracts';
import { digestOf } from '@fenestra/platform';
import type { AgentSource } from '../agent-source.ts';
import { executableTarget } from '../executable-target.ts';
import { type ExecutableVersion, executableVersion } from '../executable-version.ts';
import { wrongTarget, wrongVersion } from '../release-errors.ts';
import type { CheckedRequest, SourceEnvironment } from './agent-request.ts';
import { lookAt, readHeader } from './local-files.ts';

/** A bare program, this very one or another. Whoever may run it as an administrator vouches for it. */
export async function localExecutable(
  path: string,
  request: CheckedRequest,
  environment: SourceEnvironment,
  signal: AbortSignal,
): Promise<AgentSource> {
  const target = executableTarget(await readHeader(path));
  if (target?.os !== request.target.os || target.arch !== request.target.arch)
    throw wrongTarget(path, target, request.target);
  const { kind, version } = await versionOf(path, environment, signal);
  if (request.version !== undefined && request.version !== version)
    throw wrongVersion(path, request.version, [version]);
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

import { basename, dirname, join } from 'node:path';
import { checksumName, parseChecksum, parseTarballName } from '../manifest/upstream-release.ts';
import type { AgentSource } from '../agent-source.ts';
import { unpackAgent } from '../archive/unpack-agent.ts';
import type { MemberSink } from '../archive/read-member.ts';
import type { CheckedRequest } from './agent-request.ts';
import { lookAt, readIfAny } from './local-files.ts';
import { checksumMissing, requireFitting, sourceOfTarball, unknownTarball } from './source-of-tarball.ts';

const NOWHERE: MemberSink = { begin: async () => {}, write: async () => {} };

/** An upstream tarball with its checksum file beside it. It is read to its end, so that a bad one fails before any plan. */
export async function localTarball(path: string, request: CheckedRequest, signal: AbortSignal): Promise<AgentSource> {
  const tarball = parseTarballName(basename(path));
  if (tarball === undefined) throw unknownTarball(path);
  requireFitting(tarball, request);
  const checksum = join(dirname(path), checksumName(tarball.name));
  const text = await readIfAny(checksum);
  if (text === undefined) throw checksumMissing(path, checksum);
  const sha512 = parseChecksum(text.toString('utf8'), checksum);
  const { size } = await lookAt(path);
  const source = sourceOfTarball(tarball, request.target, { origin: path, location: path, size, sha512 });
  return { ...source, executableSha256: await digestInside(path, source, signal) };
}

async function digestInside(path: string, { digest, target, member = '' }: AgentSource, signal: AbortSignal) {
  return unpackAgent({ path, digest, target, member }, NOWHERE, signal);
}

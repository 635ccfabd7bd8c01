import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { fileError, OperatorError } from '@fenestra/kernel';
import { throwIfAborted } from '@fenestra/platform';
import type { AgentTarget, Digest } from '../agent-source.ts';
import { HEADER_BYTES } from '../executable-target.ts';
import { digestMismatch, releaseInvalid, requireTarget } from '../release-errors.ts';
import { type MemberSink, readMember } from './read-member.ts';

/** An archive on this machine, and what it must turn out to be. */
export interface AgentArchive {
  readonly path: string;
  readonly digest: Digest;
  readonly member: string;
  readonly target: AgentTarget;
}

/**
 * Hands the agent in an archive to the sink and returns the agent's own SHA-256. When it returns, the archive was the
 * promised one and the agent one for this machine; until then nothing of what the sink got may be used.
 */
export async function unpackAgent(archive: AgentArchive, sink: MemberSink, signal: AbortSignal): Promise<string> {
  const whole = createHash(archive.digest.algorithm);
  const agent = createHash('sha256');
  let head = Buffer.alloc(0);
  const write = async (piece: Uint8Array): Promise<void> => {
    agent.update(piece);
    if (head.length < HEADER_BYTES) head = Buffer.concat([head, piece.subarray(0, HEADER_BYTES)]);
    await sink.write(piece);
  };
  const hashing = async function* (bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of bytes) {
      whole.update(piece);
      yield piece;
    }
  };
  await pipeline(
    createReadStream(archive.path, { highWaterMark: 256 * 1024 }),
    hashing,
    createGunzip(),
    (tar: AsyncIterable<Buffer>) => readMember(tar, archive.member, { begin: sink.begin, write }),
    { signal },
  ).catch((cause: unknown) => explain(cause, archive, signal));
  requireDigest(archive, whole.digest('hex'));
  requireTarget(archive.path, head, archive.target);
  return agent.digest('hex');
}

/** A damaged archive fails to unpack before its digest is known, but the digest is what tells most. */
async function explain(cause: unknown, archive: AgentArchive, signal: AbortSignal): Promise<never> {
  throwIfAborted(`unpacking "${archive.path}"`, signal);
  if (cause instanceof OperatorError && cause.code !== 'RELEASE_INVALID') throw cause;
  requireDigest(archive, await digestOfArchive(archive, signal));
  throw cause instanceof OperatorError
    ? cause
    : releaseInvalid(`unpack "${archive.path}": it is not a gzipped tar archive`, undefined, cause);
}

async function digestOfArchive({ path, digest }: AgentArchive, signal: AbortSignal): Promise<string> {
  const hash = createHash(digest.algorithm);
  await pipeline(createReadStream(path), hash, { signal }).catch((cause: unknown) => {
    throw fileError(cause, `read "${path}"`);
  });
  return hash.digest('hex');
}

function requireDigest({ path, digest }: AgentArchive, actual: string): void {
  if (actual !== digest.hex) throw digestMismatch(path, digest, actual);
}

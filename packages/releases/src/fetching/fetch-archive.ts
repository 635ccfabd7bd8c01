import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileError, type StepContext } from '@fenestra/kernel';
import type { MemberSink } from '../archive/read-member.ts';
import { unpackAgent } from '../archive/unpack-agent.ts';
import { removeFile } from '../download/kept-part.ts';
import { parseAddress } from '../http/address.ts';
import { digestMismatch } from '../release-errors.ts';
import { requireSpace } from '@fenestra/platform';
import { type Fetch, type FetchPorts, fetchToDownloads } from './fetch-to-downloads.ts';
import { moveIntoPlace, stagedAgent } from './place-agent.ts';

const PRIVATE_MODE = 0o600;

/** Fetches an agent that is packed in an archive. */
export async function fetchArchive(fetch: Fetch, context: StepContext<FetchPorts>, signal: AbortSignal): Promise<void> {
  const isRemote = parseAddress(fetch.source.location) !== undefined;
  const archive = isRemote ? await fetchToDownloads(fetch, context, signal) : fetch.source.location;
  await unpackIntoPlace(archive, fetch, context, signal);
  if (isRemote) await removeFile(archive);
}

/** It grows beside its place and comes into it when archive and agent are proved. */
async function unpackIntoPlace(
  path: string,
  { source, to }: Fetch,
  context: StepContext<FetchPorts>,
  signal: AbortSignal,
): Promise<void> {
  const { digest, target, member = '', executableSha256 } = source;
  const staged = stagedAgent(to);
  try {
    const sha256 = await writing(staged, async (file) =>
      unpackAgent({ path, digest, target, member }, sinkInto(file, to, context), signal),
    );
    if (executableSha256 !== undefined && sha256 !== executableSha256)
      throw digestMismatch(member, { algorithm: 'sha256', hex: executableSha256 }, sha256);
    await moveIntoPlace(staged, to, context.ports.files);
  } catch (cause) {
    await removeFile(staged);
    throw cause;
  }
}

/** Created anew, which follows no link and never writes to a file that somebody else has open. */
async function writing<Result>(path: string, fill: (file: FileHandle) => Promise<Result>): Promise<Result> {
  await removeFile(path);
  const file = await open(path, 'wx', PRIVATE_MODE).catch(refuse(path));
  try {
    return await fill(file);
  } finally {
    await file.close();
  }
}

function sinkInto(file: FileHandle, to: string, { ports, progress }: StepContext<FetchPorts>): MemberSink {
  let [done, total] = [0, 0];
  return {
    async begin(size) {
      total = size;
      await requireSpace(ports.host, dirname(to), size);
    },
    async write(piece) {
      await file.appendFile(piece).catch(refuse(to));
      done += piece.length;
      progress(done, total);
    },
  };
}

function refuse(path: string): (cause: unknown) => never {
  return (cause) => {
    throw fileError(cause, `write "${path}"`);
  };
}

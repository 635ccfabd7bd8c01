import { type FileHandle, open, chmod } from 'node:fs/promises';
import { dirname } from 'node:path';
import { OperatorError, type StepContext, fileError } from '@fenestra/kernel';
import { EXECUTABLE_MODE, requireSpace, type FileStore } from '@fenestra/platform';
import type { AgentSource } from '../agent-source.ts';
import { parseAddress } from '../http/address.ts';
import { digestMismatch, requireTarget } from '../release-errors.ts';
import { fileDigest } from '../programs/file-digest.ts';
import { readHeader } from '../sources/local-files.ts';
import { removeFile } from '../download/kept-part.ts';
import type { MemberSink } from '../archive/read-member.ts';
import { unpackAgent } from '../archive/unpack-agent.ts';
import { type Fetch, type FetchPorts, fetchToDownloads } from './fetch-to-downloads.ts';

interface FileFetch extends Omit<Fetch, 'source'> {
  readonly source: Pick<AgentSource, 'digest' | 'size' | 'signed' | 'location' | 'credentials' | 'target'>;
}

/** Fetches a program that is a file by itself. */
export async function fetchFile(
  fetch: FileFetch,
  context: StepContext<FetchPorts>,
  signal: AbortSignal,
): Promise<void> {
  const { source, to } = fetch;
  if (parseAddress(source.location) === undefined) return copyIntoPlace(source.location, fetch, context, signal);
  const fetched = await fetchToDownloads(fetch, context, signal);
  requireTarget(fetched, await readHeader(fetched), source.target);
  try {
    await moveIntoPlace(fetched, to, context.ports.files);
  } catch (cause) {
    // Files cannot be moved from one disk to another.
    if (!(cause instanceof OperatorError) || cause.code !== 'FILE_FAILED') throw cause;
    await copyIntoPlace(fetched, fetch, context, signal);
    await removeFile(fetched);
  }
}

/** The digest that counts is that of the copy: the original may be anyone's to change in the meantime. */
async function copyIntoPlace(
  from: string,
  { source, to }: FileFetch,
  { ports, progress }: StepContext<FetchPorts>,
  signal: AbortSignal,
): Promise<void> {
  requireTarget(from, await readHeader(from), source.target);
  await requireSpace(ports.host, to, source.size);
  const staged = stagedAgent(to);
  const { sha256 } = await ports.files.copy(from, staged, { mode: EXECUTABLE_MODE, onProgress: progress }, signal);
  const { algorithm, hex } = source.digest;
  const actual = algorithm === 'sha256' ? sha256 : await fileDigest(staged, algorithm);
  if (actual === hex) return void (await ports.files.replaceInUse(staged, to));
  await removeFile(staged);
  throw digestMismatch(from, source.digest, actual);
}

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

/** Created again, which follows no link and never writes to a file that someone else has open. */
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

/** Where an agent is until it is whole and proved: beside its place, so that it comes there in one move. */
export function stagedAgent(to: string): string {
  return `${to}.fetched`;
}

/** Moves a proved file into place as a program, although the old one may be running. On one disk only: else `FILE_FAILED`. */
async function moveIntoPlace(from: string, to: string, files: FileStore): Promise<void> {
  await chmod(from, EXECUTABLE_MODE).catch((cause: unknown) => {
    throw fileError(cause, `make "${from}" a program`);
  });
  await files.syncFile(from);
  await files.replaceInUse(from, to);
}

import { OperatorError, type StepContext } from '@fenestra/kernel';
import { EXECUTABLE_MODE, requireSpace } from '@fenestra/platform';
import type { AgentSource } from '../agent-source.ts';
import { executableTarget } from '../executable-target.ts';
import { parseAddress } from '../http/address.ts';
import { digestMismatch, wrongTarget } from '../release-errors.ts';
import { fileDigest } from '../programs/file-digest.ts';
import { readHeader } from '../sources/local-files.ts';
import { removeFile } from '../download/kept-part.ts';
import { type Fetch, type FetchPorts, fetchToDownloads } from './fetch-to-downloads.ts';
import { moveIntoPlace, stagedAgent } from './place-agent.ts';

/** A program that is a file by itself. */
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
  await requireTarget(fetched, source);
  try {
    await moveIntoPlace(fetched, to, context.ports.files);
  } catch (cause) {
    // Files cannot be moved from one disk to another.
    if (!(cause instanceof OperatorError) || cause.code !== 'FILE_FAILED') throw cause;
    await copyIntoPlace(fetched, fetch, context, signal);
    await removeFile(fetched);
  }
}

/** The digest that counts is that of the copy: the original may be anybody's to change meanwhile. */
async function copyIntoPlace(
  from: string,
  { source, to }: FileFetch,
  { ports, progress }: StepContext<FetchPorts>,
  signal: AbortSignal,
): Promise<void> {
  await requireTarget(from, source);
  await requireSpace(ports.host, to, source.size);
  const staged = stagedAgent(to);
  const { sha256 } = await ports.files.copy(from, staged, { mode: EXECUTABLE_MODE, onProgress: progress }, signal);
  const { algorithm, hex } = source.digest;
  const actual = algorithm === 'sha256' ? sha256 : await fileDigest(staged, algorithm);
  if (actual === hex) return void (await ports.files.replaceInUse(staged, to));
  await removeFile(staged);
  throw digestMismatch(from, source.digest, actual);
}

async function requireTarget(path: string, { target }: Pick<AgentSource, 'target'>): Promise<void> {
  const found = executableTarget(await readHeader(path));
  if (found?.os !== target.os || found.arch !== target.arch) throw wrongTarget(path, found, target);
}

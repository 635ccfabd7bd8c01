import { unlink } from 'node:fs/promises';
import { fileError, systemCodeOf } from '@fenestra/kernel';
import { type FileStore, pathExists, readTextIfAny, sizeOf } from '@fenestra/platform';
import type { IncomingHttpHeaders } from 'node:http';

/** Where a file on its way in grows, and where its server's mark of this very version is kept. */
export interface PartFiles {
  readonly part: string;
  readonly mark: string;
}

/** What an earlier attempt has left. */
export interface KeptPart {
  readonly bytes: number;
  /** What the server must confirm before it goes on from there. */
  readonly mark: string;
}

/** The files beside a download's final place. */
export function partFiles(to: string): PartFiles {
  return { part: `${to}.partial`, mark: `${to}.mark` };
}

/** What can be gone on from, if anything: without a mark no one knows whether the rest would fit. */
export async function keptPart({ part, mark }: PartFiles): Promise<KeptPart | undefined> {
  const bytes = (await pathExists(part)) ? await sizeOf(part) : 0;
  const text = await readTextIfAny(mark);
  return bytes === 0 || text === undefined ? undefined : { bytes, mark: text };
}

/** Makes room for a download from the beginning. The old part goes before the new mark comes: they would not belong together. */
export async function beginPart(paths: PartFiles, mark: string | undefined, files: FileStore): Promise<void> {
  await forgetPart(paths);
  if (mark !== undefined) await files.replace(paths.mark, mark);
}

/** Deletes the part and its mark. */
export async function forgetPart({ part, mark }: PartFiles): Promise<void> {
  await removeFile(part);
  await removeFile(mark);
}

/** Deletes a file; one that is not there is fine. */
export async function removeFile(path: string): Promise<void> {
  await unlink(path).catch((cause: unknown) => {
    if (systemCodeOf(cause) !== 'ENOENT') throw fileError(cause, `delete "${path}"`);
  });
}

/** The headers that ask for the rest of a file, but for all of it if it has changed. See RFC 9110, section 13.1.5. */
export function rangeHeaders(kept: KeptPart | undefined): Readonly<Record<string, string>> {
  return kept === undefined ? {} : { range: `bytes=${kept.bytes}-`, 'if-range': kept.mark };
}

/** Whether the server sends exactly the rest that was asked for. */
export function isTheRest(headers: IncomingHttpHeaders, kept: KeptPart, size: number): boolean {
  return headers['content-range'] === `bytes ${kept.bytes}-${size - 1}/${size}`;
}

/** What tells this version of a file from others, if the server says: a weak tag does not promise equal bytes. */
export function markOf(headers: IncomingHttpHeaders): string | undefined {
  const { etag } = headers;
  return etag === undefined || etag.startsWith('W/') ? headers['last-modified'] : etag;
}

import type { IncomingHttpHeaders } from 'node:http';
import type { KeptPart } from './kept-part.ts';

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

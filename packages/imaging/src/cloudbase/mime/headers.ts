/** The headers of a message or a part, by their names in lower case; of two alike the first counts. */
export type Headers = ReadonlyMap<string, string>;

/** Headers, and the number of lines they take together with the empty line after them. */
export interface ReadHeaders {
  readonly headers: Headers;
  readonly lines: number;
}

const HEADER = /^([!-9;-~]*):(.*)$/s;
/** What mail boxes put before a message. */
const ENVELOPE = 'From ';

/** Reads headers from the start of a text, as Python's mail parser does: the first line that is none ends them. */
export function readHeaders(lines: readonly string[]): ReadHeaders {
  const headers = new Map<string, string>();
  let name: string | undefined;
  for (const [index, line] of lines.entries()) {
    if (line === '') return { headers, lines: index + 1 };
    const [, field, value = ''] = HEADER.exec(line) ?? [];
    if (field !== undefined) {
      name = field.toLowerCase();
      if (headers.has(name)) name = undefined;
      else headers.set(name, value.replace(/^[\t ]+/, ''));
    } else if (/^[\t ]/.test(line)) {
      if (name !== undefined) headers.set(name, `${headers.get(name) ?? ''}\n${line}`);
    } else if (index > 0 || !line.startsWith(ENVELOPE)) {
      return { headers, lines: index };
    }
  }
  return { headers, lines: lines.length };
}

/** The type that a header says, in lower case. What is no type at all is plain text. */
export function contentType(header: string | undefined): string {
  const type = header?.split(';', 1)[0]?.trim().toLowerCase() ?? DEFAULT_TYPE;
  return type.split('/').length === 2 ? type : DEFAULT_TYPE;
}

const DEFAULT_TYPE = 'text/plain';

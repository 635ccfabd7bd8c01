/** The headers of a message or a part, by their names in lower case; of two alike the first counts. */
export type Headers = ReadonlyMap<string, string>;

/** Headers, and the number of lines they take together with the empty line after them. */
export interface ReadHeaders {
  readonly headers: Headers;
  readonly lines: number;
}

const HEADER = /^([!-9;-~]*):(.*)$/;

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
      else headers.set(name, value.trim());
    } else if (/^[\t ]/.test(line)) {
      if (name !== undefined) headers.set(name, `${headers.get(name) ?? ''} ${line.trim()}`);
    } else {
      return { headers, lines: index };
    }
  }
  return { headers, lines: lines.length };
}

/** A parameter of a header: `name` of `text/plain; name="a.txt"`. */
export function headerParameter(header: string | undefined, name: string): string | undefined {
  const pattern = new RegExp(String.raw`;\s*${name}\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))`, 'i');
  const [, quoted, plain] = pattern.exec(header ?? '') ?? [];
  return quoted?.replaceAll(/\\(.)/g, '$1') ?? plain;
}

/** What a header says before its parameters, in lower case. */
export function headerValue(header: string | undefined): string | undefined {
  return header?.split(';', 1)[0]?.trim().toLowerCase();
}

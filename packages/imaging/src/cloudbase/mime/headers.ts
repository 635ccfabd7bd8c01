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

/** The type that a header says, in lower case. What is not a type at all is plain text. */
export function contentType(header: string | undefined): string {
  const type = header?.split(';', 1)[0]?.trim().toLowerCase() ?? DEFAULT_TYPE;
  return type.split('/').length === 2 ? type : DEFAULT_TYPE;
}

const DEFAULT_TYPE = 'text/plain';

/** A parameter of a header, `name` of `text/plain; name="a.txt"`, as Python's mail parser reads it. */
export function headerParameter(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined;
  const [first = ['', ''], ...rest] = segmentsOf(header).map(toParameter);
  const plain = [first, ...rest.filter(([key]) => !CONTINUED.test(key))];
  const found = plain.find(([key]) => key === name)?.[1];
  return found === undefined ? continued(rest, name) : unquoted(found);
}

type Parameter = readonly [string, string];

/** What stands between semicolons that are in no quotes. */
function segmentsOf(header: string): readonly string[] {
  const segments: string[] = [];
  let [start, isOpen] = [0, false];
  for (let at = 0; at < header.length; at++) {
    if (header[at] === '"' && header[at - 1] !== '\\') isOpen = !isOpen;
    if (header[at] !== ';' || isOpen) continue;
    segments.push(header.slice(start, at));
    start = at + 1;
  }
  return [...segments, header.slice(start)];
}

function toParameter(segment: string): Parameter {
  const at = segment.indexOf('=');
  return at === -1
    ? [segment.trim().toLowerCase(), '']
    : [segment.slice(0, at).trim().toLowerCase(), segment.slice(at + 1).trim()];
}

function unquoted(value: string): string {
  if (value.length > 1 && /^".*"$/s.test(value)) {
    return value.slice(1, -1).replaceAll('\\\\', '\\').replaceAll('\\"', '"');
  }
  return value.length > 1 && /^<.*>$/s.test(value) ? value.slice(1, -1) : value;
}

/** `name*`, `name*0` or `name*0*`: a value in parts, or with letters as numbers (RFC 2231). */
const CONTINUED = /^(\w+)\*(?:(\d+)\*?)?$/;

function continued(parameters: readonly Parameter[], name: string): string | undefined {
  const parts = parameters
    .flatMap(([key, value]) => {
      const [, base, number = '0'] = CONTINUED.exec(key) ?? [];
      return base === name ? [{ number: Number(number), encoded: key.endsWith('*'), value: unquoted(value) }] : [];
    })
    .toSorted((a, b) => a.number - b.number);
  if (parts.length === 0) return undefined;
  const whole = parts.map(({ encoded, value }) => (encoded ? bytesOf(value) : value)).join('');
  return parts.some(({ encoded }) => encoded) ? decoded(whole) : whole;
}

/** Percent and two digits are one byte, each a separate character here. */
function bytesOf(value: string): string {
  return value.replaceAll(/%([\da-f]{2})/gi, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 16)));
}

/** `utf-8'en'name`: the charset, the language and the value. */
function decoded(whole: string): string {
  const [, charset = '', value = whole] = /^([^']*)'[^']*'(.*)$/s.exec(whole) ?? [];
  return Buffer.from(value, 'latin1').toString(charset.toLowerCase() === 'utf-8' ? 'utf8' : 'latin1');
}

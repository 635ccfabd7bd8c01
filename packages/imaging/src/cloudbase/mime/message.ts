import { decodePythonBase64 } from '../file-content.ts';
import { decodedFrom, partOf, type PlacedText } from '../placed-text.ts';
import { contentType, headerParameter, type Headers, readHeaders } from './headers.ts';

/** One part of a message, in the order in which cloudbase-init goes through them. */
export interface MimePart {
  /** The line of the file that the part begins in. */
  readonly line: number;
  readonly type: string;
  /** Whether it says its type itself. */
  readonly typed: boolean;
  readonly fileName: string | undefined;
  /** How its content is written down. */
  readonly encoding: string;
  /** As the plugin gets it. */
  readonly content: PlacedText;
  readonly problem: 'bad-encoding' | 'no-boundary' | 'unterminated' | undefined;
}

/** All parts of a message that hold something, and every container that is broken. */
export function readMessage(message: PlacedText): readonly MimePart[] {
  return readEntity(message, 1);
}

/** Deeper parts are not read. */
const DEEPEST = 20;

function readEntity(entity: PlacedText, depth: number): readonly MimePart[] {
  const lines = entity.text.split(/\r\n|\r|\n/);
  const { headers, lines: taken } = readHeaders(lines);
  const body = lines.slice(taken);
  const type = contentType(headers.get('content-type'));
  if (depth > DEEPEST) return [leaf(entity, { headers, body, taken })];
  if (type.startsWith('multipart/')) return readContainer(entity, { headers, body, taken }, depth);
  // A message in a message is gone into, whatever it says of itself.
  if (type.startsWith('message/')) return readEntity(partOf(entity, body.join('\n'), taken + 1), depth + 1);
  return [leaf(entity, { headers, body, taken })];
}

interface Entity {
  readonly headers: Headers;
  readonly body: readonly string[];
  /** How many lines the headers take. */
  readonly taken: number;
}

function readContainer(entity: PlacedText, { headers, body, taken }: Entity, depth: number): readonly MimePart[] {
  const boundary = headerParameter(headers.get('content-type'), 'boundary')?.trimEnd();
  const cut = boundary === undefined ? undefined : cutAtBoundary(body, boundary);
  if (cut === undefined || cut.parts.length === 0) return [broken(entity, headers, 'no-boundary')];
  const parts = cut.parts.flatMap(({ lines, start }) =>
    readEntity(partOf(entity, lines.join('\n'), taken + start + 1), depth + 1),
  );
  return cut.closed ? parts : [...parts, broken(entity, headers, 'unterminated')];
}

interface Cut {
  readonly parts: readonly { readonly lines: readonly string[]; readonly start: number }[];
  readonly closed: boolean;
}

/** The parts between the boundaries. The text before the first and after the last is ignored. */
function cutAtBoundary(body: readonly string[], boundary: string): Cut {
  const kinds = body.map((line) => boundaryKind(line, boundary));
  const starts: number[] = [];
  const ends: number[] = [];
  let at = nextBoundary(kinds, 0);
  while (kinds[at] === 'start') {
    if (starts.length > 0) ends.push(at);
    // Of several boundaries one after the other, the first has done it all.
    while (kinds[at] !== undefined) at++;
    starts.push(at);
    at = nextBoundary(kinds, at);
  }
  const closed = at < body.length;
  // Without a last boundary, the last line end is ignored.
  ends.push(!closed && body.at(-1) === '' ? at - 1 : at);
  return { parts: starts.map((start, index) => ({ start, lines: body.slice(start, ends[index]) })), closed };
}

function nextBoundary(kinds: readonly ('start' | 'end' | undefined)[], from: number): number {
  let at = from;
  while (at < kinds.length && kinds[at] === undefined) at++;
  return at;
}

function boundaryKind(line: string, boundary: string): 'start' | 'end' | undefined {
  const sign = `--${boundary}`;
  if (!line.startsWith(sign)) return undefined;
  const [, last] = /^(--)?[ \t]*$/.exec(line.slice(sign.length)) ?? [];
  if (last !== undefined) return 'end';
  return /^[ \t]*$/.test(line.slice(sign.length)) ? 'start' : undefined;
}

function broken(entity: PlacedText, headers: Headers, problem: NonNullable<MimePart['problem']>): MimePart {
  return {
    line: entity.lineAt(1),
    type: contentType(headers.get('content-type')),
    typed: true,
    fileName: undefined,
    encoding: '',
    content: { text: '', lineAt: entity.lineAt },
    problem,
  };
}

function leaf(entity: PlacedText, { headers, body, taken }: Entity): MimePart {
  const type = headers.get('content-type');
  const encoding = (headers.get('content-transfer-encoding') ?? '').toLowerCase();
  const { text, broken: isBroken } = decodeBody(body.join('\n'), encoding);
  const isPlain = text === body.join('\n');
  return {
    line: entity.lineAt(1),
    type: contentType(type),
    typed: type !== undefined,
    fileName: (
      headerParameter(headers.get('content-disposition'), 'filename') ?? headerParameter(type, 'name')
    )?.trim(),
    encoding,
    content: (isPlain ? partOf : decodedFrom)(entity, text, taken + 1),
    problem: isBroken ? 'bad-encoding' : undefined,
  };
}

function decodeBody(body: string, encoding: string): { readonly text: string; readonly broken: boolean } {
  if (encoding === 'base64') {
    const bytes = decodePythonBase64(body) ?? decodePythonBase64(`${body}==`);
    return { text: bytes?.toString('utf8') ?? body, broken: bytes === undefined };
  }
  if (encoding !== 'quoted-printable') return { text: body, broken: false };
  const bytes = body.replaceAll(/=(?:\n|$|=|([\dA-Fa-f]{2}))/g, (sign, hex: string | undefined) => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    return sign === '==' ? '=' : '';
  });
  return { text: Buffer.from(bytes, 'latin1').toString('utf8'), broken: false };
}

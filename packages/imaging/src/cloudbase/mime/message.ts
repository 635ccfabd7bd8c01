import { decodedFrom, partOf, type PlacedText } from '../placed-text.ts';
import { headerParameter, headerValue, readHeaders, type Headers } from './headers.ts';

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

const DEFAULT_TYPE = 'text/plain';

/** All parts of a message that hold something, and every container that is broken. */
export function readMessage(message: PlacedText): readonly MimePart[] {
  return readEntity(message, 1);
}

function readEntity(entity: PlacedText, first: number): readonly MimePart[] {
  const lines = entity.text.split(/\r\n|\r|\n/);
  const { headers, lines: taken } = readHeaders(lines);
  const body = lines.slice(taken);
  const type = headerValue(headers.get('content-type')) ?? DEFAULT_TYPE;
  if (!type.startsWith('multipart/')) return [leaf(entity, { headers, body, taken, first })];
  return readContainer(entity, { headers, body, taken, first });
}

interface Entity {
  readonly headers: Headers;
  readonly body: readonly string[];
  /** How many lines the headers take. */
  readonly taken: number;
  readonly first: number;
}

function readContainer(entity: PlacedText, { headers, body, taken, first }: Entity): readonly MimePart[] {
  const boundary = headerParameter(headers.get('content-type'), 'boundary');
  const cut = boundary === undefined ? undefined : cutAtBoundary(body, boundary);
  if (cut === undefined || cut.parts.length === 0) return [broken(entity, headers, 'no-boundary')];
  const parts = cut.parts.flatMap(({ lines, start }) =>
    readEntity(partOf(entity, lines.join('\n'), taken + start + 1), first + taken + start),
  );
  return cut.closed ? parts : [...parts, broken(entity, headers, 'unterminated')];
}

interface Cut {
  readonly parts: readonly { readonly lines: readonly string[]; readonly start: number }[];
  readonly closed: boolean;
}

/** What stands between the boundaries; what is before the first and after the last is nobody's. */
function cutAtBoundary(body: readonly string[], boundary: string): Cut {
  const starts: number[] = [];
  const isBoundary = (line: string): boolean => line.replace(/[ \t]+$/, '') === `--${boundary}`;
  let end = body.length;
  for (const [index, line] of body.entries()) {
    if (isBoundary(line)) starts.push(index + 1);
    else if (starts.length > 0 && line.replace(/[ \t]+$/, '') === `--${boundary}--`) {
      end = index;
      break;
    }
  }
  // Where the last boundary is missing, the last line end belongs to nobody.
  const last = end === body.length && body.at(-1) === '' ? end - 1 : end;
  const parts = starts.map((start, index) => {
    const next = starts[index + 1];
    return { start, lines: body.slice(start, next === undefined ? last : next - 1) };
  });
  return { parts, closed: end < body.length };
}

function broken(entity: PlacedText, headers: Headers, problem: NonNullable<MimePart['problem']>): MimePart {
  return {
    line: entity.lineAt(1),
    type: headerValue(headers.get('content-type')) ?? DEFAULT_TYPE,
    typed: true,
    fileName: undefined,
    encoding: '',
    content: { text: '', lineAt: entity.lineAt },
    problem,
  };
}

function leaf(entity: PlacedText, { headers, body, taken }: Entity): MimePart {
  const type = headers.get('content-type');
  const encoding = (headers.get('content-transfer-encoding') ?? '').trim().toLowerCase();
  const { text, broken: isBroken } = decodeBody(body.join('\n'), encoding);
  const isPlain = text === body.join('\n');
  return {
    line: entity.lineAt(1),
    type: headerValue(type) ?? DEFAULT_TYPE,
    typed: type !== undefined,
    fileName: headerParameter(headers.get('content-disposition'), 'filename') ?? headerParameter(type, 'name'),
    encoding,
    content: (isPlain ? partOf : decodedFrom)(entity, text, taken + 1),
    problem: isBroken ? 'bad-encoding' : undefined,
  };
}

function decodeBody(body: string, encoding: string): { readonly text: string; readonly broken: boolean } {
  if (encoding === 'base64') {
    const letters = body.replaceAll(/\s/g, '');
    const whole = /^[A-Za-z0-9+/]*={0,2}$/.test(letters) && letters.length % 4 === 0;
    return { text: Buffer.from(letters, 'base64').toString('utf8'), broken: !whole };
  }
  if (encoding !== 'quoted-printable') return { text: body, broken: false };
  const joined = body.replaceAll(/[ \t]*$/gm, '').replaceAll('=\n', '');
  const bytes = joined.replaceAll(/=([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCodePoint(Number.parseInt(hex, 16)),
  );
  return { text: Buffer.from(bytes, 'latin1').toString('utf8'), broken: false };
}

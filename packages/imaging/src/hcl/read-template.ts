import { cursorAt, follows, isAtEnd, peek, take, type Cursor } from './cursor.ts';
import { HclError, type TemplatePart, type Token } from './token.ts';

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\' };
const UNICODE = /\\u[0-9a-f]{4}|\\U[0-9a-f]{8}/iy;
const HEREDOC = /<<(-?)([\p{L}_][\p{L}\p{N}_-]*)\r?\n/uy;

/** Reads the tokens of a value in a template, up to and with its closing brace. */
export type ReadTokens = (cursor: Cursor, until: '}') => readonly Token[];

/** Reads a text in quotes, from the opening quote to the closing one. */
export function readQuoted(cursor: Cursor, readTokens: ReadTokens): readonly TemplatePart[] {
  const { line } = cursor;
  take(cursor, 1);
  const parts: TemplatePart[] = [];
  while (!follows(cursor, '"')) {
    if (isAtEnd(cursor) || follows(cursor, '\n')) throw new HclError(line, 'begins a text that has no closing quote');
    addPart(parts, readInserted(cursor, readTokens) ?? { kind: 'text', text: readCharacter(cursor) });
  }
  take(cursor, 1);
  return parts;
}

/** Reads a heredoc, from its `<<` to the line that ends it. */
export function readHeredoc(cursor: Cursor, readTokens: ReadTokens): readonly TemplatePart[] {
  const { line } = cursor;
  const opening = peek(cursor, HEREDOC) ?? '';
  const ending = opening.replace(/^<<-?/, '').trim();
  take(cursor, opening.length);
  const rest = cursor.text.slice(cursor.position);
  const end = new RegExp(`^[ \\t]*${ending}[ \\t]*\\r?$`, 'mu').exec(rest);
  if (end === null) throw new HclError(line, `begins a text that has no closing "${ending}"`);
  const parts = readWhole(rest.slice(0, end.index), cursor.line, readTokens);
  take(cursor, end.index + end[0].length);
  return parts;
}

/** Reads a text that is a template as a whole and begins in this line. */
export function readWhole(text: string, line: number, readTokens: ReadTokens): readonly TemplatePart[] {
  const cursor = cursorAt(text);
  cursor.line = line;
  const parts: TemplatePart[] = [];
  while (!isAtEnd(cursor)) addPart(parts, readInserted(cursor, readTokens) ?? { kind: 'text', text: take(cursor, 1) });
  return parts;
}

/** `${…}` and `%{…}`; doubled, their first characters mean themselves. */
function readInserted(cursor: Cursor, readTokens: ReadTokens): TemplatePart | undefined {
  if (follows(cursor, '$${') || follows(cursor, '%%{')) return { kind: 'text', text: take(cursor, 3).slice(1) };
  const isValue = follows(cursor, '${');
  if (!isValue && !follows(cursor, '%{')) return undefined;
  const { line } = cursor;
  take(cursor, 2);
  if (follows(cursor, '~')) take(cursor, 1);
  const tokens = readTokens(cursor, '}').filter((token) => token.kind !== 'newline');
  return { kind: isValue ? 'value' : 'directive', tokens, line };
}

function readCharacter(cursor: Cursor): string {
  if (!follows(cursor, '\\')) return take(cursor, 1);
  const unicode = peek(cursor, UNICODE);
  if (unicode !== undefined) return String.fromCodePoint(Number.parseInt(take(cursor, unicode.length).slice(2), 16));
  const [, letter = ''] = take(cursor, 2);
  const character = ESCAPES[letter];
  if (character !== undefined) return character;
  throw new HclError(cursor.line, `has an escape that does not exist: "\\${letter}"; a backslash is written "\\\\"`);
}

function addPart(parts: TemplatePart[], part: TemplatePart): void {
  const last = parts.at(-1);
  if (part.kind === 'text' && last?.kind === 'text')
    parts.splice(-1, 1, { kind: 'text', text: `${last.text}${part.text}` });
  else parts.push(part);
}

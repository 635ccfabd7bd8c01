import { cursorAt, follows, isAtEnd, peek, take, type Cursor } from './cursor.ts';
import { readHeredoc, readQuoted, readWhole } from './read-template.ts';
import { HclError, type TemplatePart, type Token } from './token.ts';

const NAME = /[\p{L}_][\p{L}\p{N}_-]*/uy;
const NUMBER = /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SPACE = /[ \t\r\uFEFF]+/y;
const COMMENT = /(?:#|\/\/)[^\n]*|\/\*[^]*?\*\//y;
const MARK = /\.\.\.|==|!=|<=|>=|&&|\|\||=>|[-+*/%!<>=?:,.[\](){}]/y;
/** The end of a template's value, perhaps with the mark that takes the blanks after it away. */
const CLOSING = /~?\}/y;
const HEREDOC = /<<-?[\p{L}_][\p{L}\p{N}_-]*\r?\n/uy;

/** Cuts an HCL text into its tokens. Throws `HclError` at the first place that is none. */
export function tokenize(text: string): readonly Token[] {
  return readTokens(cursorAt(text), undefined);
}

/** Cuts a text that is a template as a whole, such as a file, into its parts. */
export function tokenizeTemplate(text: string): readonly TemplatePart[] {
  return readWhole(text, 1, readTokens);
}

/**
 * Reads tokens up to the closing brace of a template's value, or to the end of the text where there is none to wait for.
 * The brace itself is taken, but not returned.
 */
function readTokens(cursor: Cursor, until: '}' | undefined): readonly Token[] {
  const tokens: Token[] = [];
  let depth = 0;
  const begin = cursor.line;
  while (!isAtEnd(cursor)) {
    if (skipBlank(cursor)) continue;
    if (until !== undefined && depth === 0 && peek(cursor, CLOSING) !== undefined) {
      take(cursor, peek(cursor, CLOSING)?.length ?? 0);
      return tokens;
    }
    const token = readToken(cursor);
    if (token.kind === 'mark') depth += Number(token.text === '{') - Number(token.text === '}');
    tokens.push(token);
  }
  if (until === undefined) return tokens;
  throw new HclError(begin, 'begins a value in a text that has no closing "}"');
}

function skipBlank(cursor: Cursor): boolean {
  const blank = peek(cursor, SPACE) ?? peek(cursor, COMMENT);
  if (blank === undefined) return false;
  take(cursor, blank.length);
  return true;
}

function readToken(cursor: Cursor): Token {
  const { line } = cursor;
  if (follows(cursor, '\n')) {
    take(cursor, 1);
    return { kind: 'newline', line };
  }
  if (follows(cursor, '"')) return { kind: 'template', parts: readQuoted(cursor, readTokens), line };
  if (peek(cursor, HEREDOC) !== undefined) return { kind: 'template', parts: readHeredoc(cursor, readTokens), line };
  if (follows(cursor, '/*')) throw new HclError(line, 'begins a comment that has no end');
  for (const [kind, pattern] of KINDS) {
    const text = peek(cursor, pattern);
    if (text !== undefined) return { kind, text: take(cursor, text.length), line };
  }
  throw new HclError(line, `has a character that means nothing here: ${JSON.stringify(cursor.text[cursor.position])}`);
}

const KINDS = [
  ['name', NAME],
  ['number', NUMBER],
  ['mark', MARK],
] as const;

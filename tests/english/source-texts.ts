import { SyntaxKind } from 'typescript/unstable/ast';
import { createScanner, type Scanner } from 'typescript/unstable/ast/scanner';

/** A literal as written, and where it starts in its file. */
export interface SourceText {
  readonly start: number;
  readonly text: string;
}

const LITERALS: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateHead,
  SyntaxKind.TemplateMiddle,
  SyntaxKind.TemplateTail,
]);

/** A slash after one of these divides; after anything else it starts a regular expression. */
const ENDS_OPERAND: ReadonlySet<SyntaxKind> = new Set([
  ...LITERALS,
  SyntaxKind.Identifier,
  SyntaxKind.NumericLiteral,
  SyntaxKind.BigIntLiteral,
  SyntaxKind.RegularExpressionLiteral,
  SyntaxKind.CloseParenToken,
  SyntaxKind.CloseBracketToken,
  SyntaxKind.CloseBraceToken,
  SyntaxKind.ThisKeyword,
]);

const COMMENTS: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.SingleLineCommentTrivia,
  SyntaxKind.MultiLineCommentTrivia,
]);

const TRIVIA: ReadonlySet<SyntaxKind> = new Set([...COMMENTS, SyntaxKind.WhitespaceTrivia, SyntaxKind.NewLineTrivia]);

/** The string and template literals of TypeScript source. Comments, identifiers and regular expressions are left out. */
export function sourceTexts(source: string): SourceText[] {
  return textsOf(source, LITERALS);
}

/** The comments of TypeScript source. */
export function sourceComments(source: string): SourceText[] {
  return textsOf(source, COMMENTS);
}

function textsOf(source: string, wanted: ReadonlySet<SyntaxKind>): SourceText[] {
  const scanner = createScanner(false, undefined, source);
  const texts: SourceText[] = [];
  for (const token of tokens(scanner)) {
    if (wanted.has(token)) texts.push({ start: scanner.getTokenStart(), text: scanner.getTokenText() });
  }
  return texts;
}

/** Scans with the context that a parser would have: templates continue at the "}" of their expression. */
function* tokens(scanner: Scanner): Generator<SyntaxKind> {
  const braces: ('block' | 'template')[] = [];
  let token = scanner.scan();
  let previous = SyntaxKind.Unknown;
  while (token !== SyntaxKind.EndOfFile) {
    if (isSlash(token) && !ENDS_OPERAND.has(previous)) token = scanner.reScanSlashToken();
    if (token === SyntaxKind.CloseBraceToken && braces.pop() === 'template') token = scanner.reScanTemplateToken(false);
    if (token === SyntaxKind.OpenBraceToken) braces.push('block');
    if (token === SyntaxKind.TemplateHead || token === SyntaxKind.TemplateMiddle) braces.push('template');
    yield token;
    if (!TRIVIA.has(token)) previous = token;
    token = scanner.scan();
  }
}

function isSlash(token: SyntaxKind): boolean {
  return token === SyntaxKind.SlashToken || token === SyntaxKind.SlashEqualsToken;
}

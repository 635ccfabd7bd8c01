/** A piece of an HCL text, with the line it begins in. */
export type Token =
  | { readonly kind: 'name' | 'number' | 'mark'; readonly text: string; readonly line: number }
  | { readonly kind: 'template'; readonly parts: readonly TemplatePart[]; readonly line: number }
  | { readonly kind: 'newline'; readonly line: number };

/** What a quoted text or a heredoc is made of. */
export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  /** `${…}`: a value. */
  | { readonly kind: 'value'; readonly tokens: readonly Token[]; readonly line: number }
  /** `%{…}`: `if`, `for` and their ends. */
  | { readonly kind: 'directive'; readonly tokens: readonly Token[]; readonly line: number };

/** A place from which on a text is no HCL. */
export class HclError extends Error {
  override readonly name = 'HclError';
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** Whether a token is this punctuation mark. */
export function isMark(token: Token | undefined, text: string): boolean {
  return token?.kind === 'mark' && token.text === text;
}

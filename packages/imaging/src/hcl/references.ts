import { isMark, type Token } from './token.ts';

/** Something that an expression refers to by its name: `var.location`, `source.qemu.image`. */
export interface Reference {
  readonly root: string;
  readonly names: readonly string[];
  readonly line: number;
}

/** A function that an expression calls. */
export interface Call {
  readonly name: string;
  readonly line: number;
  readonly args: readonly (readonly Token[])[];
}

/** Everything an expression refers to, also in its texts, in the order of the text. */
export function referencesIn(tokens: readonly Token[]): readonly Reference[] {
  return tokens.flatMap((token, index) => {
    if (token.kind === 'template')
      return token.parts.flatMap((part) => (part.kind === 'text' ? [] : referencesIn(part.tokens)));
    if (token.kind !== 'name' || isMark(tokens[index - 1], '.') || isMark(tokens[index + 1], '(')) return [];
    return [{ root: token.text, names: namesAfter(tokens, index), line: token.line }];
  });
}

/** Every function an expression calls, also in its texts and in the arguments of others. */
export function callsIn(tokens: readonly Token[]): readonly Call[] {
  return tokens.flatMap((token, index) => {
    if (token.kind === 'template')
      return token.parts.flatMap((part) => (part.kind === 'text' ? [] : callsIn(part.tokens)));
    if (token.kind !== 'name' || !isMark(tokens[index + 1], '(')) return [];
    return [{ name: token.text, line: token.line, args: argumentsAfter(tokens, index + 2) }];
  });
}

function namesAfter(tokens: readonly Token[], index: number): readonly string[] {
  const next = tokens[index + 2];
  if (!isMark(tokens[index + 1], '.') || next?.kind !== 'name') return [];
  return [next.text, ...namesAfter(tokens, index + 2)];
}

function argumentsAfter(tokens: readonly Token[], begin: number): readonly (readonly Token[])[] {
  const args: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens.slice(begin)) {
    if (token.kind === 'mark' && ')]}'.includes(token.text)) depth -= 1;
    if (depth < 0) break;
    if (token.kind === 'mark' && '([{'.includes(token.text)) depth += 1;
    if (depth === 0 && isMark(token, ',')) args.push([]);
    else args.at(-1)?.push(token);
  }
  return args.filter((arg) => arg.length > 0);
}

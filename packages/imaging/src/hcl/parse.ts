import { HclError, isMark, type Token } from './token.ts';
import { tokenize } from './tokenize.ts';

/** `name = …` */
export interface Attribute {
  readonly name: string;
  readonly line: number;
  /** What is on the right, without line ends that mean nothing. */
  readonly value: readonly Token[];
}

/** `type "label" { … }` */
export interface Block {
  readonly type: string;
  readonly labels: readonly string[];
  readonly line: number;
  readonly body: Body;
}

/** What is in a file, or between the braces of a block. */
export interface Body {
  readonly attributes: readonly Attribute[];
  readonly blocks: readonly Block[];
}

/** Parses an HCL text. Throws `HclError` at the first place that is none. */
export function parseHcl(text: string): Body {
  const reader = { tokens: tokenize(text), index: 0 };
  const body = readBody(reader);
  const [rest] = reader.tokens.slice(reader.index);
  if (rest !== undefined) throw new HclError(rest.line, 'has a closing "}" too many');
  return body;
}

interface Reader {
  readonly tokens: readonly Token[];
  index: number;
}

function readBody(reader: Reader): Body {
  const attributes: Attribute[] = [];
  const blocks: Block[] = [];
  for (;;) {
    while (current(reader)?.kind === 'newline') reader.index += 1;
    const token = current(reader);
    if (token === undefined || isMark(token, '}')) return { attributes, blocks };
    if (token.kind !== 'name') throw new HclError(token.line, 'must begin with the name of an attribute or a block');
    reader.index += 1;
    if (isMark(current(reader), '=')) attributes.push(readAttribute(reader, token.text, token.line));
    else blocks.push(readBlock(reader, token.text, token.line));
  }
}

function readAttribute(reader: Reader, name: string, line: number): Attribute {
  reader.index += 1;
  const value = readExpression(reader);
  if (value.length === 0) throw new HclError(line, `gives "${name}" no value`);
  return { name, line, value };
}

function readBlock(reader: Reader, type: string, line: number): Block {
  const labels: string[] = [];
  while (!isMark(current(reader), '{')) {
    const label = labelOf(current(reader));
    if (label === undefined) throw new HclError(line, `must be "${type} = …" or a block "${type} { … }"`);
    labels.push(label);
    reader.index += 1;
  }
  reader.index += 1;
  const body = readBody(reader);
  if (!isMark(current(reader), '}')) throw new HclError(line, `begins a block "${type}" that has no closing "}"`);
  reader.index += 1;
  return { type, labels, line, body };
}

function labelOf(token: Token | undefined): string | undefined {
  if (token?.kind === 'name') return token.text;
  if (token?.kind !== 'template') return undefined;
  const [part, ...others] = token.parts;
  return part?.kind === 'text' && others.length === 0 ? part.text : undefined;
}

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** Up to the end of the line, unless a bracket is open; in round and square ones a line's end means nothing. */
function readExpression(reader: Reader): readonly Token[] {
  const tokens: Token[] = [];
  const open: { readonly closing: string; readonly line: number }[] = [];
  for (let token = current(reader); token !== undefined; token = current(reader)) {
    const innermost = open.at(-1);
    if (innermost === undefined && (token.kind === 'newline' || isMark(token, '}'))) break;
    if (token.kind === 'mark') followBrackets(token.text, token.line, open);
    if (token.kind !== 'newline' || innermost?.closing === '}') tokens.push(token);
    reader.index += 1;
  }
  const unclosed = open.at(-1);
  if (unclosed !== undefined)
    throw new HclError(unclosed.line, `has an opening bracket without its "${unclosed.closing}"`);
  return tokens;
}

function followBrackets(mark: string, line: number, open: { closing: string; line: number }[]): void {
  const closing = CLOSING[mark];
  if (closing !== undefined) open.push({ closing, line });
  else if (Object.values(CLOSING).includes(mark) && open.pop()?.closing !== mark)
    throw new HclError(line, `has a closing "${mark}" that closes nothing`);
}

function current({ tokens, index }: Reader): Token | undefined {
  return tokens[index];
}

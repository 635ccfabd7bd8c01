import { isMark, type Token } from './token.ts';

/** A value that depends on nothing. */
export type Constant = string | number | boolean | null | readonly Constant[] | { readonly [key: string]: Constant };

/** The value of an expression that depends on nothing; `undefined` for any other. */
export function constantOf(tokens: readonly Token[]): Constant | undefined {
  const reader = { tokens: tokens.filter((token) => token.kind !== 'newline'), index: 0 };
  const value = readValue(reader);
  return reader.index === reader.tokens.length ? value : undefined;
}

interface Reader {
  readonly tokens: readonly Token[];
  index: number;
}

const WORDS: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };

function readValue(reader: Reader): Constant | undefined {
  const token = reader.tokens[reader.index];
  reader.index += 1;
  if (token === undefined) return undefined;
  if (token.kind === 'number') return Number(token.text);
  if (token.kind === 'name') return WORDS[token.text];
  if (token.kind === 'template') return textOf(token);
  if (isMark(token, '-')) return negated(readValue(reader));
  if (isMark(token, '[')) return readList(reader);
  return isMark(token, '{') ? readMap(reader) : undefined;
}

function textOf({ parts }: Extract<Token, { kind: 'template' }>): string | undefined {
  const texts = parts.map((part) => (part.kind === 'text' ? part.text : undefined));
  return texts.includes(undefined) ? undefined : texts.join('');
}

function negated(value: Constant | undefined): number | undefined {
  return typeof value === 'number' ? -value : undefined;
}

function readList(reader: Reader): readonly Constant[] | undefined {
  const values: Constant[] = [];
  while (!isMark(reader.tokens[reader.index], ']')) {
    const value = readValue(reader);
    if (value === undefined) return undefined;
    values.push(value);
    if (isMark(reader.tokens[reader.index], ',')) reader.index += 1;
  }
  reader.index += 1;
  return values;
}

function readMap(reader: Reader): Readonly<Record<string, Constant>> | undefined {
  const entries: [string, Constant][] = [];
  while (!isMark(reader.tokens[reader.index], '}')) {
    const key = keyOf(reader.tokens[reader.index]);
    const separator = reader.tokens[reader.index + 1];
    reader.index += 2;
    const value = isMark(separator, '=') || isMark(separator, ':') ? readValue(reader) : undefined;
    if (key === undefined || value === undefined) return undefined;
    entries.push([key, value]);
    if (isMark(reader.tokens[reader.index], ',')) reader.index += 1;
  }
  reader.index += 1;
  return Object.fromEntries(entries);
}

/** The key of an object, which may be in quotes; `undefined` for what is none. */
export function keyOf(token: Token | undefined): string | undefined {
  if (token?.kind === 'name') return token.text;
  return token?.kind === 'template' ? textOf(token) : undefined;
}

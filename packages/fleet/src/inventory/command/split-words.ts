/** A part of a command that is looked at as a whole: one character, or something that must not be taken apart. */
export type WordPart<Opaque> = string | { readonly opaque: Opaque };

/** One word of a command: texts, and what stands for itself between them. */
export type Word<Opaque> = readonly WordPart<Opaque>[];

/** Why something cannot be used; completes "the field …". */
export interface Problem {
  readonly problem: string;
}

/** Whether it is a problem and not the wanted value. */
export function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'problem' in value;
}

/** What a shell would act upon; no shell reads the command, so this is never what was meant. */
const SHELL_CHARACTERS = new Set(['|', '>', '<', ';', '&', '`']);
const QUOTES = new Set(["'", '"']);

/** What becomes of characters that a shell would act upon. */
export type ShellCharacters = 'refused' | 'plain';

/**
 * Splits a command into words: at blanks, which quotes protect. A backslash protects a blank, a quote or a character of
 * the shell, and is itself otherwise, so Windows paths can be written as they are.
 */
export function splitWords<Opaque>(
  parts: Word<Opaque>,
  shell: ShellCharacters = 'refused',
): readonly Word<Opaque>[] | Problem {
  const refused = (quote: string | undefined): boolean => shell === 'refused' && quote !== "'";
  const words: WordPart<Opaque>[][] = [];
  let word: WordPart<Opaque>[] | undefined;
  let quote: string | undefined;
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index] ?? '';
    const next = parts[index + 1];
    if (typeof part === 'string' && refused(quote) && startsExpansion(part, next)) return expansionProblem(next);
    if (part === '\\' && isEscape(next, quote)) {
      index += 1;
      if (next !== '\n' && next !== undefined) (word ??= []).push(next);
    } else if (quote !== undefined) {
      if (part === quote) quote = undefined;
      else (word ??= []).push(part);
    } else if (typeof part === 'string' && QUOTES.has(part)) {
      quote = part;
      // Quotes around nothing are a word too.
      word ??= [];
    } else if (typeof part === 'string' && /\s/.test(part)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (typeof part === 'string' && refused(quote) && SHELL_CHARACTERS.has(part)) {
      return { problem: `holds "${part}", but ${NO_SHELL}` };
    } else (word ??= []).push(part);
  }
  if (quote !== undefined) return { problem: `has a quote (${quote}) that is never closed` };
  return word === undefined ? words : [...words, word];
}

/** The word as a text, without what is opaque in it. */
export function plainText<Opaque>(word: Word<Opaque>): string {
  return word.filter((part) => typeof part === 'string').join('');
}

/** Splits a plain text into words. */
export function splitText(text: string, shell: ShellCharacters = 'refused'): readonly string[] | Problem {
  const words = splitWords<never>(text.split(''), shell);
  return isProblem(words) ? words : words.map(plainText);
}

const NO_SHELL = 'the command is not interpreted by a shell: put it in single quotes if you mean it literally';

function startsExpansion(part: string, next: unknown): boolean {
  return part === '$' && typeof next === 'string' && /[({A-Za-z_]/.test(next);
}

function expansionProblem(next: unknown): Problem {
  return { problem: `holds "$${String(next)}", but ${NO_SHELL}; "{{name}}" is replaced by its value in cmdTplArgs` };
}

function isEscape(next: unknown, quote: string | undefined): boolean {
  if (typeof next !== 'string' || quote === "'") return false;
  if (quote === '"') return next === '"';
  return QUOTES.has(next) || SHELL_CHARACTERS.has(next) || /\s/.test(next);
}

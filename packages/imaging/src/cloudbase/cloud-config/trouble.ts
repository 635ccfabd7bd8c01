import { type Document, isAlias, isCollection, isMap, isScalar, visit } from 'yaml';
import { isMergeKey, rangeStart } from './entry.ts';
import { isDay } from './python.ts';

/** What keeps PyYAML from loading a text, and where. */
export interface Trouble {
  readonly offset: number;
  readonly reason: string;
  /** Whether cloudbase-init notices, and counts the document as done. */
  readonly noticed?: boolean;
}

/** PyYAML refuses these wherever they stand. */
const UNREADABLE = /(?![\t\n\r\u0085])[\p{Cc}\ufffe\uffff]/u;

/** What is wrong with a text as a whole. */
export function troubleOfText(text: string, second: Document.Parsed | undefined): Trouble | undefined {
  const control = UNREADABLE.exec(text);
  if (control !== null) return { offset: control.index, reason: 'there is a control character in it' };
  if (second !== undefined) return { offset: second.range[0], reason: 'a second document starts' };
  // Each turn takes one line, and can do so in one way only: empty lines must not multiply the tries.
  const end = /^(?:[\t\r ]*(?:#[^\n]*)?\n)*\.\.\.(?:\s|$)/.exec(text);
  return end === null ? undefined : { offset: end[0].length - 1, reason: 'a document ends before it starts' };
}

/** What is wrong in a document: what its parser says, and what PyYAML does not take although it is YAML. */
export function troubleIn(document: Document.Parsed | undefined, text: string): Trouble | undefined {
  if (document === undefined) return tabTrouble(document, text);
  const [mistake] = [...document.errors, ...document.warnings];
  if (mistake !== undefined) {
    return { offset: mistake.pos[0], reason: REASONS[mistake.code] ?? 'it is not valid YAML' };
  }
  return [tabTrouble, anchorTrouble, valueTrouble, dateTrouble, keyTrouble].reduce<Trouble | undefined>(
    (trouble, find) => trouble ?? find(document, text),
    undefined,
  );
}

const REASONS: Readonly<Record<string, string>> = {
  BAD_ALIAS: 'it refers to an anchor that is not there',
  BAD_DQ_ESCAPE: 'double quotes hold an escape that does not exist, as a path of Windows does',
  BAD_INDENT: 'it is indented wrongly',
  MISSING_CHAR: 'a quote, a bracket, a colon or a comma is missing',
  TAB_AS_INDENT: 'it is indented with a tab',
  TAG_RESOLVE_FAILED: 'it has a tag that nothing is known of',
};

/** An anchor may be set once there. */
function anchorTrouble(document: Document.Parsed): Trouble | undefined {
  const seen = new Set<string>();
  const offsets: number[] = [];
  visit(document, {
    Node(_, node) {
      if (isAlias(node) || node.anchor === undefined) return;
      if (seen.has(node.anchor)) offsets.push(rangeStart(node));
      seen.add(node.anchor);
    },
  });
  const [offset] = offsets;
  return offset === undefined ? undefined : { offset, reason: 'an anchor is set a second time' };
}

/** Values that must have quotes there, if nowhere else. */
function valueTrouble(document: Document.Parsed): Trouble | undefined {
  const troubles: Trouble[] = [];
  visit(document, {
    Scalar(at, { type, source = '', range }) {
      const sign = type === 'PLAIN' ? /^(?:%|=$|<<$)/.exec(source)?.[0] : undefined;
      if (sign === undefined || (at === 'key' && sign !== '%')) return;
      const begins = sign === '%' ? 'starts with' : 'is';
      troubles.push({ offset: range?.[0] ?? 0, reason: `a value ${begins} "${sign}" and has no quotes` });
    },
  });
  return troubles[0];
}

/** A moment that no calendar has. Of all that can go wrong, this alone is noticed. */
function dateTrouble(document: Document.Parsed): Trouble | undefined {
  const offsets: number[] = [];
  visit(document, {
    Scalar(_, { value, source = '', range }) {
      if (value instanceof Date && !isMoment(source)) offsets.push(range?.[0] ?? 0);
    },
  });
  const [offset] = offsets;
  return offset === undefined ? undefined : { offset, reason: 'there is no such date', noticed: true };
}

function isMoment(source: string): boolean {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = (source.match(/\d+/g) ?? []).map(Number);
  return isDay(year, month, day) && hour < 24 && minute < 60 && second < 60;
}

/** Keys of the document must be strings. A mapping or a list cannot be a key, as in braces of a template that was not rendered. */
function keyTrouble(document: Document.Parsed): Trouble | undefined {
  const offsets: number[] = [];
  visit(document, {
    Pair(_, { key }) {
      if (isCollection(key)) offsets.push(rangeStart(key));
    },
  });
  const { contents } = document;
  const odd = isMap(contents)
    ? contents.items.find(({ key }) => !isMergeKey(key) && !(isScalar(key) && typeof key.value === 'string'))
    : undefined;
  if (odd !== undefined) offsets.push(rangeStart(odd.key));
  const [offset] = offsets;
  return offset === undefined ? undefined : { offset, reason: 'a key is not a string' };
}

/** A tab before the first letter of a line or of an item, where only the inside of quotes, of brackets or of a block may have one. */
function tabTrouble(document: Document.Parsed | undefined, text: string): Trouble | undefined {
  const tabs = [...text.matchAll(/^ *(?:- +)*(?:- *)?\t/gm)];
  if (tabs.length === 0) return undefined;
  const shelters = document === undefined ? [] : sheltersIn(document, text);
  let next = 0;
  const bare = tabs.find(({ index, 0: { length } }) => {
    while ((shelters[next]?.end ?? text.length) <= index) next++;
    const shelter = shelters[next];
    return shelter === undefined || index <= shelter.start || length <= shelter.indent;
  });
  return bare === undefined
    ? undefined
    : { offset: bare.index, reason: 'a tab is used for indentation, where only spaces are allowed' };
}

interface Shelter {
  readonly start: number;
  readonly end: number;
  /** The column from which on a tab does no harm. */
  readonly indent: number;
}

/** In the order in which they stand, and none inside of another. */
function sheltersIn(document: Document.Parsed, text: string): readonly Shelter[] {
  const shelters: Shelter[] = [];
  visit(document, {
    Node(_, node) {
      const [start, end] = node.range ?? [0, 0];
      if (start < (shelters.at(-1)?.end ?? 0)) return;
      if (isScalar(node) && node.type?.startsWith('BLOCK') === true) {
        shelters.push({ start, end, indent: blockIndent(text.slice(start, end)) });
      } else if (isScalar(node) ? node.type?.startsWith('QUOTE') : isCollection(node) && node.flow === true) {
        shelters.push({ start, end, indent: 0 });
      }
    },
  });
  return shelters;
}

/** Where the first line of a block begins that is not empty. */
function blockIndent(block: string): number {
  const [, blanks] = /\n( *)[^ \n\r]/.exec(block) ?? [];
  return blanks?.length ?? Number.POSITIVE_INFINITY;
}

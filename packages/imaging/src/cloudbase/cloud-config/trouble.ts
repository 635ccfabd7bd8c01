import { isCollection, isMap, isScalar, visit, type Document } from 'yaml';
import { isMergeKey, rangeStart } from './entry.ts';

/** What keeps PyYAML from loading a text, and where. */
export interface Trouble {
  readonly offset: number;
  readonly reason: string;
}

/** PyYAML refuses these wherever they stand. */
const UNREADABLE = /(?![\t\n\r\u0085])[\p{Cc}\ufffe\uffff]/u;

/** What is wrong with a text as a whole. */
export function troubleOfText(text: string, second: Document.Parsed | undefined): Trouble | undefined {
  const control = UNREADABLE.exec(text);
  if (control !== null) return { offset: control.index, reason: 'there is a control character in it' };
  if (second !== undefined) return { offset: second.range[0], reason: 'a second document begins' };
  const end = /^(?:#.*\n|\s*\n)*\.\.\.(?:\s|$)/.exec(text);
  return end === null ? undefined : { offset: end[0].length - 1, reason: 'a document ends before it begins' };
}

/** What is wrong in a document: what its parser says, and what PyYAML does not take although it is YAML. */
export function troubleIn(document: Document.Parsed): Trouble | undefined {
  const [mistake] = [...document.errors, ...document.warnings];
  if (mistake !== undefined) {
    return { offset: mistake.pos[0], reason: REASONS[mistake.code] ?? 'it is not YAML from here on' };
  }
  return percentTrouble(document) ?? keyTrouble(document);
}

const REASONS: Readonly<Record<string, string>> = {
  BAD_ALIAS: 'it refers to an anchor that is not there',
  BAD_DQ_ESCAPE: 'double quotes hold an escape that does not exist, as a path of Windows does',
  BAD_INDENT: 'it is indented wrongly',
  MISSING_CHAR: 'a quote, a bracket, a colon or a comma is missing',
  TAB_AS_INDENT: 'it is indented with a tab',
  TAG_RESOLVE_FAILED: 'it has a tag that nothing is known of',
};

/** A plain value may not begin with a percent sign there. */
function percentTrouble(document: Document.Parsed): Trouble | undefined {
  const offsets: number[] = [];
  visit(document, {
    Scalar(_, { type, source, range }) {
      if (type === 'PLAIN' && source?.startsWith('%') === true) offsets.push(range?.[0] ?? 0);
    },
  });
  const [offset] = offsets;
  return offset === undefined ? undefined : { offset, reason: 'a value begins with "%" and has no quotes' };
}

/** Keys of the document must be texts; a mapping or a list is no key anywhere, as in braces that nobody replaced. */
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
  return offset === undefined ? undefined : { offset, reason: 'a key is no text' };
}

import { isMap, isScalar, LineCounter, parseDocument, visit, type Document } from 'yaml';
import type { PlacedText } from '../placed-text.ts';
import { membersOf, rangeStart, type Entry } from './entry.ts';

/** A cloud-config as it is loaded on the machine. */
export type CloudConfigDocument =
  | { readonly kind: 'keys'; readonly entries: readonly Entry[]; readonly repeated: readonly Entry[] }
  | { readonly kind: 'empty' }
  /** Loading fails, and is tried again at every start. */
  | { readonly kind: 'unreadable'; readonly line: number; readonly reason: string };

/** PyYAML refuses these wherever they stand. */
const UNREADABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/u;

/** Loads a cloud-config by the rules of PyYAML: YAML 1.1, one document, of two keys alike the last. */
export function readCloudConfig(source: PlacedText): CloudConfigDocument {
  const lines = new LineCounter();
  const lineAt = (offset: number): number => source.lineAt(Math.max(1, lines.linePos(offset).line));
  const control = UNREADABLE.exec(source.text);
  try {
    const document = parse(source.text, lines);
    if (control !== null) return unreadable(lineAt(control.index), 'there is a control character in it');
    return readDocument(document, lineAt);
  } catch {
    return unreadable(source.lineAt(1), 'it is nested too deeply');
  }
}

function parse(text: string, lineCounter: LineCounter): Document.Parsed {
  return parseDocument(text, {
    version: '1.1',
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
    lineCounter,
  });
}

function readDocument(document: Document.Parsed, lineAt: (offset: number) => number): CloudConfigDocument {
  const [mistake] = [...document.errors, ...document.warnings];
  if (mistake !== undefined) return unreadable(lineAt(mistake.pos[0]), REASONS[mistake.code] ?? 'it is not YAML from here on');
  const percent = percentOffset(document);
  if (percent !== undefined) return unreadable(lineAt(percent), 'a value begins with "%" and has no quotes');
  const { contents } = document;
  if (contents === null || (isScalar(contents) && contents.value === null)) return { kind: 'empty' };
  if (!isMap(contents)) return unreadable(lineAt(contents.range[0]), 'it is no mapping of keys to values');
  const odd = contents.items.find(({ key }) => !(isScalar(key) && typeof key.value === 'string'));
  if (odd !== undefined) return unreadable(lineAt(rangeStart(odd.key)), 'a key is no text');
  const all = membersOf(contents, '', { document, lineAt });
  if (all.length === 0) return { kind: 'empty' };
  const entries = all.filter(({ key }, index) => !all.slice(index + 1).some((later) => later.key === key));
  return { kind: 'keys', entries, repeated: all.filter((entry) => !entries.includes(entry)) };
}

const REASONS: Readonly<Record<string, string>> = {
  BAD_ALIAS: 'it refers to an anchor that is not there',
  BAD_DQ_ESCAPE: 'double quotes hold an escape that does not exist, as a path of Windows does',
  BAD_INDENT: 'it is indented wrongly',
  MISSING_CHAR: 'a quote, a bracket, a colon or a comma is missing',
  MULTIPLE_DOCS: 'a second document begins',
  TAB_AS_INDENT: 'it is indented with a tab',
  TAG_RESOLVE_FAILED: 'it has a tag that nothing is known of',
};

function unreadable(line: number, reason: string): CloudConfigDocument {
  return { kind: 'unreadable', line, reason };
}

/** The library lets a plain value begin with a percent sign; PyYAML does not. */
function percentOffset(document: Document.Parsed): number | undefined {
  const offsets: number[] = [];
  visit(document, {
    Scalar(_, { type, source, range }) {
      if (type === 'PLAIN' && source?.startsWith('%') === true) offsets.push(range?.[0] ?? 0);
    },
  });
  return offsets[0];
}

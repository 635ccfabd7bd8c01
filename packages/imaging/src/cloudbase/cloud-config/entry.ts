import { isAlias, isMap, isScalar, isSeq, type Document, type Node } from 'yaml';

/** A value of the document, and where it stands. */
export interface Entry {
  /** The key in a mapping; empty in a list. */
  readonly key: string;
  /** Dotted, such as `write_files[0].path`. */
  readonly path: string;
  readonly line: number;
  readonly value: unknown;
  /** The members of a mapping or a list. */
  readonly members: readonly Entry[];
}

/** The document that entries are read from, and the lines of its places. */
export interface EntryReading {
  readonly document: Document.Parsed;
  readonly lineAt: (offset: number) => number;
}

/** The members of a node of the document, each with its place. */
export function membersOf(node: unknown, path: string, reading: EntryReading): readonly Entry[] {
  const target: unknown = isAlias(node) ? node.resolve(reading.document) : node;
  if (isMap(target)) {
    return target.items.flatMap(({ key, value }) => {
      if (isMergeKey(key)) return membersOf(value, path, reading);
      const name = isScalar(key) ? String(key.value) : '';
      return [entryOf(name, path === '' ? name : `${path}.${name}`, { key, value, reading })];
    });
  }
  if (!isSeq(target)) return [];
  return target.items.map((item, index) => entryOf('', `${path}[${index}]`, { key: item, value: item, reading }));
}

/** `<<`, which stands for the keys of another mapping. */
export function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.source === '<<' && key.type === 'PLAIN';
}

function entryOf(
  key: string,
  path: string,
  { key: at, value, reading }: { readonly key: unknown; readonly value: unknown; readonly reading: EntryReading },
): Entry {
  return {
    key,
    path,
    line: reading.lineAt(rangeStart(at)),
    value: plain(value, reading.document),
    members: membersOf(value, path, reading),
  };
}

function plain(value: unknown, document: Document.Parsed): unknown {
  return isNode(value) ? value.toJS(document, { maxAliasCount: 100 }) : value;
}

function isNode(value: unknown): value is Node {
  return isMap(value) || isSeq(value) || isScalar(value) || isAlias(value);
}

/** Where a node begins. */
export function rangeStart(node: unknown): number {
  return isNode(node) ? (node.range?.[0] ?? 0) : 0;
}

/** A plain value as the text it is written in; anything else is none. */
export function scalarText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

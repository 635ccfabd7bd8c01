import { isAlias, isMap, isScalar, isSeq, type Document, type Node } from 'yaml';

/** A value of the document, and where it stands. */
export interface Entry {
  /** The key in a mapping; empty in a list. */
  readonly key: string;
  /** Dotted, such as `write_files[0].path`. */
  readonly path: string;
  readonly line: number;
  readonly value: unknown;
  /** A plain value as it is written; `undefined` for a mapping, a list or an alias. */
  readonly source: string | undefined;
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
    const merged = target.items.filter(({ key }) => isMergeKey(key));
    const own = target.items.filter(({ key }) => !isMergeKey(key));
    // A key of the mapping itself counts more than one that is merged into it, wherever they stand.
    return [
      ...merged.flatMap(({ value }) => mergedMembers(value, path, reading)),
      ...own.map(({ key, value }) => {
        const name = isScalar(key) ? String(key.value) : '';
        return entryOf(name, path === '' ? name : `${path}.${name}`, { key, value, reading });
      }),
    ];
  }
  if (!isSeq(target)) return [];
  return target.items.map((item, index) => entryOf('', `${path}[${index}]`, { key: item, value: item, reading }));
}

/** Of several mappings the first counts most. */
function mergedMembers(value: unknown, path: string, reading: EntryReading): readonly Entry[] {
  const mappings: readonly unknown[] = isSeq(value) ? value.items.toReversed() : [value];
  return mappings.flatMap((mapping) => membersOf(mapping, path, reading));
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
    source: isScalar(value) ? value.source : undefined,
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

/** The member of a mapping with this key; of several the last. */
export function memberOf(entry: Entry | undefined, key: string): Entry | undefined {
  return entry?.members.findLast((member) => member.key === key);
}

/** The members of the list or mapping below a key. */
export function itemsOf(entry: Entry | undefined, key: string): readonly Entry[] {
  return memberOf(entry, key)?.members ?? [];
}

/** Everything below an entry. */
export function allBelow({ members }: Entry): readonly Entry[] {
  return members.flatMap((member) => [member, ...allBelow(member)]);
}

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

export function isMapping(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return !(value instanceof Date) && !(value instanceof Uint8Array);
}

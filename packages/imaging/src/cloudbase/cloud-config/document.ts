import { type Document, isCollection, isMap, isScalar, LineCounter, parseAllDocuments } from 'yaml';
import type { PlacedText } from '../placed-text.ts';
import { type Entry, membersOf } from './entry.ts';
import { pythonTags } from './python.ts';
import { troubleIn, troubleOfText } from './trouble.ts';

/** Every key of cloud-config that cloudbase-init knows, in the order in which they are done. */
export const CLOUD_CONFIG_KEYS = [
  'write_files',
  'set_timezone',
  'timezone',
  'set_hostname',
  'hostname',
  'ntp',
  'groups',
  'users',
  'runcmd',
] as const;

/** A key that does something. */
export type CloudConfigKey = (typeof CLOUD_CONFIG_KEYS)[number];

/** Whether a key does anything. */
export function isCloudConfigKey(key: string): key is CloudConfigKey {
  return CLOUD_CONFIG_KEYS.some((each) => each === key);
}

/** A cloud-config as it is loaded on the machine. */
export type CloudConfigDocument =
  | { readonly kind: 'keys'; readonly entries: readonly Entry[]; readonly repeated: readonly Entry[] }
  | { readonly kind: 'empty' }
  /** Loading fails, and is tried again at every start unless cloudbase-init notices. */
  | { readonly kind: 'unreadable'; readonly line: number; readonly reason: string; readonly noticed: boolean };

/** Loads a cloud-config by the rules of PyYAML: YAML 1.1, one document, of two keys alike the last. */
export function readCloudConfig(source: PlacedText): CloudConfigDocument {
  const lines = new LineCounter();
  const lineAt = (offset: number): number => source.lineAt(Math.max(1, lines.linePos(offset).line));
  // A lone CR ends a line there, too.
  const text = source.text.replaceAll(/\r(?!\n)/g, '\n');
  try {
    const [document, second] = parse(text, lines);
    const trouble = troubleOfText(text, second) ?? troubleIn(document, text);
    if (trouble !== undefined) {
      const { offset, reason, noticed = false } = trouble;
      return { kind: 'unreadable', line: lineAt(offset), reason, noticed };
    }
    return document === undefined ? { kind: 'empty' } : readDocument(document, lineAt);
  } catch {
    return { kind: 'unreadable', line: source.lineAt(1), reason: 'it is nested too deeply', noticed: false };
  }
}

function parse(text: string, lineCounter: LineCounter): readonly Document.Parsed[] {
  const settings = { version: '1.1', uniqueKeys: false, prettyErrors: false, logLevel: 'silent' } as const;
  const documents = parseAllDocuments(text, { ...settings, lineCounter, customTags: pythonTags });
  return 'empty' in documents ? [] : documents;
}

function readDocument(document: Document.Parsed, lineAt: (offset: number) => number): CloudConfigDocument {
  const { contents } = document;
  if (contents === null || isNothing(contents)) return { kind: 'empty' };
  if (!isMap(contents)) {
    const reason = 'it is not a mapping';
    return { kind: 'unreadable', line: lineAt(contents.range[0]), reason, noticed: false };
  }
  const all = membersOf(contents, '', { document, lineAt });
  if (all.length === 0) return { kind: 'empty' };
  const counting = new Map(all.map((entry) => [entry.key, entry]));
  const entries = all.filter((entry) => counting.get(entry.key) === entry);
  return { kind: 'keys', entries, repeated: all.filter((entry) => counting.get(entry.key) !== entry) };
}

/** What Python takes for nothing: it is logged, and not looked at. */
function isNothing(contents: Document.Parsed['contents']): boolean {
  return isCollection(contents) ? contents.items.length === 0 : isScalar(contents) && !contents.value;
}

import { LineCounter, parseAllDocuments, visit, type Document } from 'yaml';
import { unreadable } from './imported.ts';

/** Stands for a value that only the tool can read whose tag it has. */
export const SEALED: unique symbol = Symbol('sealed');

/** How a tool's own tags are taken; without it the tagged text is the value. */
export interface TagReading {
  /** Whether a value with this tag is `SEALED`. */
  readonly seal?: (tag: string) => boolean;
}

/** The documents of a YAML file as plain values. What the parser says is not quoted: it may repeat what is in the file. */
export function readYamlDocuments(
  text: string,
  fileName: string,
  { seal = () => false }: TagReading = {},
): readonly unknown[] {
  const lineCounter = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter, prettyErrors: false, logLevel: 'silent' });
  const parsed = Array.isArray(documents) ? documents : [];
  for (const { errors } of parsed) {
    const [error] = errors;
    if (error !== undefined)
      throw unreadable(fileName, [`${lineCounter.linePos(error.pos[0]).line} is not YAML from here on`]);
  }
  for (const document of parsed) sealValues(document, seal);
  return parsed.map((document): unknown => document.toJS());
}

function sealValues(document: Document, seal: (tag: string) => boolean): void {
  visit(document, {
    Scalar(key, node) {
      if (key !== 'key' && isOwnTag(node.tag) && seal(node.tag)) node.value = SEALED;
    },
  });
}

function isOwnTag(tag: string | undefined): tag is string {
  return tag !== undefined && tag !== '!' && !tag.startsWith('tag:yaml.org,2002:');
}

/** A mapping's entries; none if the value is no mapping. */
export function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

import { LineCounter, parseAllDocuments } from 'yaml';
import { unreadable } from './imported.ts';

/** The documents of a YAML file as plain values. What the parser says is not quoted: it may repeat what is in the file. */
export function readYamlDocuments(text: string, fileName: string): readonly unknown[] {
  const lineCounter = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter, prettyErrors: false, logLevel: 'silent' });
  const parsed = Array.isArray(documents) ? documents : [];
  for (const { errors } of parsed) {
    const [error] = errors;
    if (error !== undefined)
      throw unreadable(fileName, [`${lineCounter.linePos(error.pos[0]).line} is not YAML from here on`]);
  }
  return parsed.map((document): unknown => document.toJS());
}

/** A mapping's entries; none if the value is no mapping. */
export function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

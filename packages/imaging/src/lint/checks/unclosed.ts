import { isCollection, isScalar, parseAllDocuments, visit, type Document, type Node, type YAMLError } from 'yaml';
import { lineOfOffset } from '../../cloudbase/placed-text.ts';

/** A bracket, a brace or a quote of YAML that nothing closes. */
export interface Unclosed {
  /** Where it is opened, which is where it has to be corrected; a parser fails only much later. */
  readonly line: number;
  readonly message: string;
}

/** What a text opens and does not close, if that is the first mistake in it. */
export function unclosedIn(text: string): Unclosed | undefined {
  try {
    const documents = parseAllDocuments(text, SETTINGS);
    const broken = 'empty' in documents ? undefined : documents.find(({ errors }) => errors.length > 0);
    const [mistake] = broken?.errors ?? [];
    if (broken === undefined || mistake === undefined || !isAboutEnd(mistake)) return undefined;
    const [end] = mistake.pos;
    const offset = lastOpening(broken, end);
    if (offset === undefined) return undefined;
    const message = `the ${text[offset]} that starts here is not closed${before(text, end)}`;
    return { line: lineOfOffset(text, offset), message };
  } catch {
    // Nested too deeply, which is reported elsewhere.
    return undefined;
  }
}

/** It may be closed further on, after a line that belongs to something else by its indentation. */
function before(text: string, end: number): string {
  return /\S/.test(text.slice(end)) ? ' before a line that is not indented enough' : '';
}

/** The last line of a text that says anything: a mistake at the end is one of it. */
export function lastLineOf(text: string): number {
  return lineOfOffset(text, text.trimEnd().length);
}

const SETTINGS = { version: '1.1', uniqueKeys: false, prettyErrors: false, logLevel: 'silent' } as const;

function isAboutEnd({ code, message }: YAMLError): boolean {
  return (
    (code === 'BAD_INDENT' && message.startsWith('Flow ')) ||
    (code === 'MISSING_CHAR' && /closing|end with/.test(message))
  );
}

/** Of all that reaches as far as the mistake, what was opened last. */
function lastOpening(document: Document.Parsed, end: number): number | undefined {
  const offsets: number[] = [];
  visit(document, {
    Node(_, node) {
      const [start, valueEnd] = node.range ?? [0, 0];
      if (isOpened(node) && start < end && valueEnd >= end) offsets.push(start);
    },
  });
  return offsets.at(-1);
}

function isOpened(node: Node): boolean {
  return isCollection(node) ? node.flow === true : isScalar(node) && (node.type ?? '').startsWith('QUOTE_');
}

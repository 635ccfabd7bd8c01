import { LineCounter, parseAllDocuments, parseDocument, type Document, type ErrorCode, type YAMLError } from 'yaml';
import type { Problem } from './problem.ts';

/** A parsed file, and the line each of its places is in. */
export interface YamlSource {
  readonly document: Document.Parsed;
  lineAt(offset: number): number;
  readonly problems: readonly Problem[];
}

/** 1 MiB: far above any real configuration, and small enough to parse at once. */
const MOST_CHARACTERS = 1_048_576;

/**
 * Parses the text and keeps its lines. Of what is not YAML only the first place is reported: the others follow from it.
 * The parser's own words are not used, since they may quote what is in the file.
 */
export function readYaml(text: string, mostCharacters = MOST_CHARACTERS): YamlSource | Problem {
  if (text.length > mostCharacters) {
    return { line: 1, path: '', message: `is larger than ${mostCharacters / MOST_CHARACTERS} MiB` };
  }
  const lines = new LineCounter();
  try {
    return sourceOf(parseDocument(text, { lineCounter: lines, ...QUIETLY }), lines);
  } catch {
    return TOO_DEEP;
  }
}

/** The same for a file that may hold several documents; one that holds none is reported as empty. */
export function readYamlDocuments(text: string): readonly YamlSource[] | Problem {
  if (text.length > MOST_CHARACTERS) return { line: 1, path: '', message: 'is larger than 1 MiB' };
  const lines = new LineCounter();
  try {
    const documents = parseAllDocuments(text, { lineCounter: lines, ...QUIETLY });
    if ('empty' in documents) return { line: 1, path: '', message: 'is empty' };
    return documents.map((document) => sourceOf(document, lines));
  } catch {
    return TOO_DEEP;
  }
}

/** With the level `silent` a second document would not be an error. */
const QUIETLY = { prettyErrors: false, logLevel: 'error' } as const;

/** The parser follows brackets by recursion, so a text of brackets exhausts the stack. */
const TOO_DEEP: Problem = { line: 1, path: '', message: 'is not YAML that can be read: is it nested very deeply?' };

function sourceOf(document: Document.Parsed, lines: LineCounter): YamlSource {
  const lineAt = (offset: number): number => Math.max(1, lines.linePos(offset).line);
  return { document, lineAt, problems: document.errors.slice(0, 1).map((error) => toProblem(error, lineAt)) };
}

function toProblem({ code, pos }: YAMLError, lineAt: (offset: number) => number): Problem {
  return { line: lineAt(pos[0]), path: '', message: MESSAGES[code] ?? 'is not valid YAML' };
}

const MESSAGES: Readonly<Partial<Record<ErrorCode, string>>> = {
  BAD_ALIAS: 'refers to an anchor that is not there',
  BAD_DQ_ESCAPE:
    'has an escape that does not exist in double quotes: write Windows paths without quotes or in single ones',
  BAD_INDENT: 'is indented wrongly',
  DUPLICATE_KEY: 'has a key that is already there above',
  MISSING_CHAR: 'misses a closing quote or bracket, or a colon or comma',
  MULTIPLE_DOCS: 'starts a second document; the file can hold only one',
  TAB_AS_INDENT: 'is indented with a tab; use spaces',
};

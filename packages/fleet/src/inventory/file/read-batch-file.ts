import {
  type FieldProblem,
  isMapping,
  issueMessage,
  type Problem,
  problemsError,
  type Reading,
  readNode,
  readYaml,
  toFieldProblem,
  withLine,
} from '@fenestra/contracts/reading';
import type { OperatorError } from '@fenestra/kernel';
import * as z from 'zod/mini';
import { BatchFile } from './schema.ts';

/** What a batch file says as far as each field is sound by itself, and all that is not. */
export interface BatchReading {
  readonly content: BatchFile;
  readonly problems: readonly Problem[];
  /** Gives a problem that shows only when fields are put together the line it has in the file. */
  locate(problem: FieldProblem): Problem;
}

/** Room for tens of thousands of nodes. */
const MOST_CHARACTERS = 32 * 1_048_576;

/** Reads a batch file without giving up at the first mistake; only what is not a YAML mapping at all is thrown. */
export function readBatchFile(text: string, fileName: string): BatchReading {
  const source = readYaml(text, MOST_CHARACTERS);
  if ('message' in source) throw batchFileError(fileName, [source]);
  if (source.problems.length > 0) throw batchFileError(fileName, source.problems);
  const reading: Reading = { source, schema: BatchFile, blocks: true, lines: new Map(), problems: [] };
  const given = readNode(source.document.contents, BatchFile, { path: '', line: 1 }, reading);
  if (given === undefined) throw batchFileError(fileName, reading.problems.length > 0 ? reading.problems : [EMPTY]);
  return checkFields(given, reading);
}

/** One error for all the problems of a batch file. */
export function batchFileError(fileName: string, problems: readonly Problem[]): OperatorError {
  return problemsError(fileName, problems, HINT);
}

const EMPTY: Problem = { line: 1, path: '', message: 'is empty' };
const HINT = 'Correct the lines above; "keadm batch gen-config" prints an example.';

function checkFields(given: unknown, reading: Reading): BatchReading {
  const parsed = z.safeParse(BatchFile, given, { error: issueMessage });
  const locate = (problem: FieldProblem): Problem => withLine(problem, reading);
  if (parsed.success) return { content: parsed.data, problems: reading.problems, locate };
  const complaints = complaintsOf(parsed.error.issues);
  // From the end, since what is taken out of a list moves what follows.
  const sound = complaints.reduceRight<unknown>((value, { path }) => withoutPart(value, path), given);
  const reported = new Set(reading.problems.map(({ path }) => path));
  const found = complaints.map(toFieldProblem).filter(({ path }) => !reported.has(path));
  const content = z.safeParse(BatchFile, sound);
  return {
    content: content.success ? content.data : {},
    problems: [...reading.problems, ...found.map(locate)],
    locate,
  };
}

/** A complaint of the schema, where it is and what it says. */
export interface Complaint {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** The complaints one by one. Where several forms are allowed, those of the form that the file uses. */
function complaintsOf(issues: readonly z.core.$ZodIssue[]): readonly Complaint[] {
  return issues.flatMap((issue): readonly Complaint[] => {
    if (issue.code !== 'invalid_union') return [{ path: issue.path, message: issue.message }];
    const used = issue.errors.find(
      (form) => !form.some(({ code, path }) => code === 'invalid_type' && path.length === 0),
    );
    const inner = complaintsOf(used ?? issue.errors.at(-1) ?? []);
    return inner.map(({ path, message }) => ({ path: [...issue.path, ...path], message }));
  });
}

/** The value without what is at the path. A list keeps a mapping's place with an empty one, so that paths stay true. */
function withoutPart(value: unknown, [key, ...rest]: readonly PropertyKey[]): unknown {
  if (key === undefined) return undefined;
  if (Array.isArray(value))
    return value.flatMap((part: unknown, index) => (index === key ? remains(part, rest) : [part]));
  if (!isMapping(value)) return undefined;
  const parts = Object.entries(value).map(
    ([name, part]) => [name, name === key ? withoutPart(part, rest) : part] as const,
  );
  return Object.fromEntries(parts.filter(([, part]) => part !== undefined));
}

function remains(part: unknown, rest: readonly PropertyKey[]): readonly unknown[] {
  if (rest.length > 0) return [withoutPart(part, rest)];
  return isMapping(part) || part === undefined ? [{}] : [];
}

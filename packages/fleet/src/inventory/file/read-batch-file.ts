import type { OperatorError } from '@fenestra/kernel';
import * as z from 'zod/mini';
import {
  toFieldProblem,
  withLine,
  issueMessage,
  problemsError,
  type FieldProblem,
  type Problem,
  readNode,
  type Reading,
  readYaml,
} from '@fenestra/contracts/reading';
import { complaintsOf } from './schema-issues.ts';
import { BatchFile } from './schema.ts';
import { withoutPart } from './sound-part.ts';

/** What a batch file says as far as each field is sound by itself, and all that is not. */
export interface BatchReading {
  readonly content: BatchFile;
  readonly problems: readonly Problem[];
  /** Gives a problem that shows only when fields are put together the line it has in the file. */
  locate(problem: FieldProblem): Problem;
}

/** Room for tens of thousands of nodes. */
const MOST_CHARACTERS = 32 * 1_048_576;

/** Reads a batch file without giving up at the first mistake; only what is no YAML mapping at all is thrown. */
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
  const told = new Set(reading.problems.map(({ path }) => path));
  const found = complaints.map(toFieldProblem).filter(({ path }) => !told.has(path));
  const content = z.safeParse(BatchFile, sound);
  return {
    content: content.success ? content.data : {},
    problems: [...reading.problems, ...found.map(locate)],
    locate,
  };
}

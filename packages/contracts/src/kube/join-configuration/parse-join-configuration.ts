import * as z from 'zod/mini';
import type { NodeOs } from '../../config/edgecore/edge-paths.ts';
import { toFieldProblem, withLine } from '../../config/reading/field-problem.ts';
import { issueMessage } from '../../config/reading/issue-message.ts';
import { problemsError, type FieldProblem, type Problem } from '../../config/reading/problem.ts';
import { readNode, type Reading } from '../../config/reading/read-node.ts';
import { checkJoinFile } from './checks.ts';
import { findJoinDocument, type JoinDocument } from './find-join-document.ts';
import type { JoinConfiguration } from './join-configuration.ts';
import { JOIN_SCHEMAS, type JoinFile } from './schema.ts';
import { toJoinConfiguration } from './to-join-configuration.ts';

/**
 * Reads a file with a `JoinConfiguration` of any version, into one form. Throws one `CONFIG_INVALID` with every problem,
 * each with file, line and field; no problem repeats a value, since one of them is the token.
 */
export function parseJoinConfiguration(text: string, source: string, os: NodeOs): JoinConfiguration {
  const document = findJoinDocument(text);
  if ('message' in document) throw joinFileError(source, [document]);
  const { file, problems } = readJoinFile(document, os);
  if (file === undefined || problems.length > 0) throw joinFileError(source, problems);
  return toJoinConfiguration(file, document.warnings, os);
}

/** All that is wrong with such a file, for those who have to tell it in lines of another. */
export function joinProblems(text: string, os: NodeOs): readonly Problem[] {
  const document = findJoinDocument(text);
  return 'message' in document ? [document] : readJoinFile(document, os).problems;
}

interface Read {
  readonly file: JoinFile | undefined;
  readonly problems: readonly Problem[];
}

/** Checks every field by itself and all that are sound together: a mistake in one does not hide the others. */
function readJoinFile({ source, version }: JoinDocument, os: NodeOs): Read {
  const schema = JOIN_SCHEMAS[version];
  const reading: Reading = { source, schema, lines: new Map(), problems: [] };
  const given = readNode(source.document.contents, schema, { path: '', line: 1 }, reading);
  const parsed = z.safeParse(schema, given, { error: issueMessage });
  const single = parsed.success ? [] : parsed.error.issues.map(toFieldProblem);
  const found = [...single, ...checkJoinFile(given, os)].filter((problem) => !isTold(problem, reading));
  return {
    file: parsed.success ? parsed.data : undefined,
    problems: [...reading.problems, ...found.map((problem) => withLine(problem, reading))],
  };
}

/** What could not be read at all has been told already, and what is around it follows from it. */
function isTold({ path }: FieldProblem, { problems }: Reading): boolean {
  return problems.some((problem) => problem.path === path || problem.path.startsWith(`${path}.`));
}

function joinFileError(source: string, problems: readonly Problem[]): Error {
  return problemsError(
    source,
    problems,
    'Correct the lines above; "kubeadm config print join-defaults" prints an example.',
  );
}

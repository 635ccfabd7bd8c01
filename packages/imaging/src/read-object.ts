import {
  type FieldProblem,
  issueMessage,
  problemsError,
  type Reading,
  readNode,
  readYaml,
  toFieldProblem,
  withLine,
} from '@fenestra/contracts/reading';
import * as z from 'zod/mini';

interface ObjectForm<Schema extends z.ZodMiniType> {
  readonly schema: Schema;
  /** The problems of several fields together. Fields of a wrong type are ignored. */
  readonly check: (given: unknown) => readonly FieldProblem[];
  readonly hint: string;
}

/** Reads a YAML file. Throws one `CONFIG_INVALID` with every problem and its line. */
export function readObject<Schema extends z.ZodMiniType>(
  text: string,
  fileName: string,
  { schema, check, hint }: ObjectForm<Schema>,
): z.output<Schema> {
  const source = readYaml(text);
  if ('message' in source) throw problemsError(fileName, [source], hint);
  if (source.problems.length > 0) throw problemsError(fileName, source.problems, hint);
  const reading: Reading = { source, schema, blocks: true, lines: new Map(), problems: [] };
  const given = readNode(source.document.contents, schema, { path: '', line: 1 }, reading) ?? {};
  const parsed = z.safeParse(schema, given, { error: issueMessage });
  const single = parsed.success ? [] : parsed.error.issues.map(toFieldProblem);
  const found = [...single, ...check(given)].filter((problem) => !isReported(problem, reading));
  const problems = [...reading.problems, ...found.map((problem) => withLine(problem, reading))];
  if (!parsed.success || problems.length > 0) throw problemsError(fileName, problems, hint);
  return parsed.data;
}

/** A problem inside or above a field that could not be read at all follows from that one. */
function isReported({ path }: FieldProblem, { problems }: Reading): boolean {
  return problems.some((problem) => problem.path === path || problem.path.startsWith(`${path}.`));
}

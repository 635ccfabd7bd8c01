import * as z from 'zod/mini';
import {
  toFieldProblem,
  withLine,
  issueMessage,
  problemsError,
  type FieldProblem,
  readNode,
  type Reading,
  readYaml,
} from '@fenestra/contracts/reading';
import { checkImageFile } from './checks.ts';
import { ImageConfig } from './schema.ts';

const HINT = 'Correct the lines above; "keadm image init" writes a project that makes such a file.';

/** Reads the file that says what an image must have. Throws one `CONFIG_INVALID` with every problem and its line. */
export function readImageConfig(text: string, fileName: string): ImageConfig {
  const source = readYaml(text);
  if ('message' in source) throw problemsError(fileName, [source], HINT);
  if (source.problems.length > 0) throw problemsError(fileName, source.problems, HINT);
  const reading: Reading = { source, schema: ImageConfig, blocks: true, lines: new Map(), problems: [] };
  const given = readNode(source.document.contents, ImageConfig, { path: '', line: 1 }, reading) ?? {};
  const parsed = z.safeParse(ImageConfig, given, { error: issueMessage });
  const single = parsed.success ? [] : parsed.error.issues.map(toFieldProblem);
  const found = [...single, ...checkImageFile(given)].filter((problem) => !isTold(problem, reading));
  const problems = [...reading.problems, ...found.map((problem) => withLine(problem, reading))];
  if (!parsed.success || problems.length > 0) throw problemsError(fileName, problems, HINT);
  return parsed.data;
}

/** What could not be read at all has been told already, and what is around it follows from it. */
function isTold({ path }: FieldProblem, { problems }: Reading): boolean {
  return problems.some((problem) => problem.path === path || problem.path.startsWith(`${path}.`));
}

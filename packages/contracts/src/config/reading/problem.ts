import { OperatorError } from '@fenestra/kernel';

/** Something in a file that keeps it from being used. The message completes "the field …", without the value. */
export interface Problem {
  readonly line: number;
  /** Dotted; empty for the file as a whole. */
  readonly path: string;
  readonly message: string;
}

/** A problem that is known by its field alone. */
export type FieldProblem = Omit<Problem, 'line'>;

/** More than this hides the first ones, and nobody reads them. */
const MOST = 50;

/** One error for all the problems of a file, in the order of its lines. Never holds a value, which may be a secret. */
export function configError(fileName: string, program: string, problems: readonly Problem[]): OperatorError {
  const hint = `Correct the lines above; "${program} --defaultconfig" prints every field with its default.`;
  return problemsError(fileName, problems, hint);
}

/** The same for a file that no component prints the defaults of. */
export function problemsError(fileName: string, problems: readonly Problem[], hint: string): OperatorError {
  const lines = problems
    .toSorted((a, b) => a.line - b.line)
    .slice(0, MOST)
    .map(({ line, path, message }) => `  ${fileName}:${line} ${path === '' ? '' : `${path}: `}${message}`);
  const rest = problems.length > MOST ? [`  and ${problems.length - MOST} more`] : [];
  const head = `Cannot load "${fileName}": ${problems.length} problem(s)`;
  return new OperatorError('CONFIG_INVALID', [head, ...lines, ...rest].join('\n'), {
    hint,
    details: { file: fileName, problems: problems.length },
  });
}

import { OperatorError } from '@fenestra/kernel';
import type { Reading } from './read-node.ts';
import { joinPath, parentPath } from './schema-shape.ts';

/** Something in a file that keeps it from being used. The message completes "the field …", without the value. */
export interface Problem {
  readonly line: number;
  /** Dotted; empty for the file as a whole. */
  readonly path: string;
  readonly message: string;
}

/** A problem that is known by its field alone. */
export type FieldProblem = Omit<Problem, 'line'>;

/** More than this hides the first ones, and no one reads them. */
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

/** What a schema complains of, by the field's dotted path. */
export function toFieldProblem({ path, message }: Complaint): FieldProblem {
  return { path: fieldPath(path), message };
}

/** A schema's complaint, with a message of ours. */
interface Complaint {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

function fieldPath(keys: readonly PropertyKey[]): string {
  return keys.reduce<string>((prefix, key) => joinPath(prefix, asKey(key)), '');
}

function asKey(key: PropertyKey): string | number {
  return typeof key === 'symbol' ? String(key) : key;
}

/** The problem with the line of its field, or of the nearest part of the file around it. */
export function withLine({ path, message }: FieldProblem, reading: Reading): Problem {
  return { path, message, line: lineOf(path, reading) };
}

function lineOf(path: string, reading: Reading): number {
  if (path === '') return 1;
  return reading.lines.get(path) ?? lineOf(parentPath(path), reading);
}

/** The parts of a schema's complaint that the message is made of. */
interface Issue {
  readonly code?: string | undefined;
  readonly expected?: unknown;
  readonly minimum?: number | bigint | undefined;
  readonly maximum?: number | bigint | undefined;
  readonly inclusive?: unknown;
  readonly values?: readonly unknown[] | undefined;
}

/** What is wrong with a field, in one phrase, without its value. */
export function issueMessage({ code, expected, minimum, maximum, inclusive, values }: Issue): string {
  if (code === 'invalid_type') return `must be ${NAMES[String(expected)] ?? String(expected)}`;
  if (code === 'too_small') return inclusive === false ? `must be more than ${minimum}` : `must be at least ${minimum}`;
  if (code === 'too_big') return inclusive === false ? `must be less than ${maximum}` : `must be at most ${maximum}`;
  if (code === 'invalid_value' && values !== undefined) return `must be ${values.map(quoted).join(' or ')}`;
  return code === 'invalid_key' ? 'has a name that is not allowed' : 'is not valid';
}

const NAMES: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  array: 'a list',
  object: 'a mapping',
  record: 'a mapping',
};

function quoted(value: unknown): string {
  return typeof value === 'string' ? `"${value}"` : String(value);
}

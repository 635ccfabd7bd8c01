import type { FieldProblem, Problem } from './problem.ts';
import type { Reading } from './read-node.ts';
import { joinPath, parentPath } from './schema-shape.ts';

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

import { OperatorError } from '@fenestra/kernel';
import { type Shape, shapeOf } from '../reading/schema-shape.ts';

/** One wish as it is typed after `--set`: `modules.edgeHub.heartbeat=20`. */
interface Assignment {
  readonly path: string;
  /** As typed: quotes and braces are still there, since what they mean depends on the field. */
  readonly value: string;
}

/** Reads one `path=value`. The value may hold anything, `=` and `,` too. */
export function parseAssignment(text: string): Assignment {
  const equals = text.indexOf('=');
  const path = text.slice(0, Math.max(0, equals)).trim();
  if (path !== '') return { path, value: text.slice(equals + 1).trim() };
  // What was typed is not shown: it may be a secret.
  throw new OperatorError('USAGE', 'Cannot set a value: it is not of the form "path=value"', {
    hint: 'Write it like "modules.edgeHub.heartbeat=20".',
  });
}

/**
 * The parts of upstream's list `a=1,b={x,y},c="p,q"`, without those that are empty: a comma inside braces or quotes
 * separates nothing.
 */
export function splitByComma(text: string): readonly string[] {
  const parts = [''];
  let closing: string | undefined;
  for (const character of text) {
    const separates = character === ',' && closing === undefined;
    if (character === closing) closing = undefined;
    else closing ??= CLOSING[character];
    if (separates) parts.push('');
    else parts.push(`${parts.pop() ?? ''}${character}`);
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '"': '"', "'": "'" };

/** What a file can hold at one place. */
export type SettableValue = string | number | boolean | readonly SettableValue[];

/** Reads a typed value as its field expects it; quotes make a text of anything. `undefined` where no value fits. */
export function readTypedValue(typed: string, shape: Shape): SettableValue | undefined {
  if (shape.kind === 'mapping' || shape.kind === 'names') return undefined;
  if (shape.kind === 'list') return readList(typed, shape.element);
  const quoted = QUOTED.exec(typed);
  if (quoted !== null) return quoted[2] ?? '';
  return shape.kind === 'text' ? typed : readScalar(typed, shape.kind === 'switch');
}

const QUOTED = /^(["'])(.*)\1$/s;

function readList(typed: string, element: unknown): readonly SettableValue[] | undefined {
  const [, inside] = /^\{(.*)\}$/s.exec(typed) ?? [];
  if (inside === undefined) return undefined;
  const values = splitByComma(inside).map((part) => readTypedValue(part, shapeOf(element)));
  return values.every((value) => value !== undefined) ? values : undefined;
}

/** What is of the wrong type stays a text, of which the schema says what it should be. */
function readScalar(typed: string, isSwitch: boolean): SettableValue {
  const word = typed.toLowerCase();
  if (isSwitch) return TRUE.includes(word) || (FALSE.includes(word) ? false : typed);
  return NUMBER.test(typed) ? Number(typed) : typed;
}

const TRUE: readonly string[] = ['true', 'yes', 'on', 'y'];
const FALSE: readonly string[] = ['false', 'no', 'off', 'n'];
const NUMBER = /^[-+]?(\d+(\.\d+)?|\.\d+)(e[-+]?\d+)?$/i;

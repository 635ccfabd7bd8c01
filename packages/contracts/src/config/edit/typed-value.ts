import { shapeOf, type Shape } from '../reading/schema-shape.ts';
import { splitByComma } from './assignment.ts';

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

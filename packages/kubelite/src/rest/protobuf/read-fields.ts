import { CORE_FIELDS } from './core-fields.ts';
import { META_FIELDS } from './meta-fields.ts';
import { POD_FIELDS } from './pod-fields.ts';

/** What a field number of a message means. */
export interface MessageField {
  readonly name: string;
  /** A message, or a scalar of `scalars.ts`. */
  readonly type: string;
  readonly shape: 'list' | 'map' | 'single';
  /** Whether zero, false and the empty text were said on purpose. */
  readonly keepZero: boolean;
  /** Whether the fields of the message below belong to this one. */
  readonly inline: boolean;
}

/** Field numbers of every message, by its name. */
export type MessageTable = ReadonlyMap<string, ReadonlyMap<number, MessageField>>;

/**
 * Reads the tables. A message is `Name: field=number type, …`; an indented line continues the one above.
 * `T[]` is a list and `map<T>` an object; `!` keeps zeros; `^` is a message whose fields are this one's own.
 */
export function readMessageTable(): MessageTable {
  const lines = `${META_FIELDS}${CORE_FIELDS}${POD_FIELDS}`.replaceAll(/\n +/g, ' ').split('\n').filter(Boolean);
  return new Map(lines.map(readMessage));
}

function readMessage(line: string): [string, ReadonlyMap<number, MessageField>] {
  const colon = line.indexOf(': ');
  const fields = line.slice(colon + 2).split(', ');
  return [line.slice(0, colon), new Map(fields.map(readField))];
}

function readField(text: string): [number, MessageField] {
  const [label = '', written = ''] = text.split(' ');
  const [, name = '', marks = '', number = ''] = /^(\w+)([!^]*)=(\d+)$/.exec(label) ?? [];
  const [, mapped] = /^map<(.*)>$/.exec(written) ?? [];
  const shape = mapped ? 'map' : written.endsWith('[]') ? 'list' : 'single';
  const type = (mapped ?? written).replace('[]', '');
  return [Number(number), { name, type, shape, keepZero: marks.includes('!'), inline: marks.includes('^') }];
}

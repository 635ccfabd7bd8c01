import { MESSAGE_TABLES } from './message-tables.ts';

/**
 * The messages of one package as text. A message is `Name: field=number type, …`; an indented line continues the one
 * above. `T[]` is a list and `map<T>` an object; `!` keeps zeros; `^` is a message whose fields are the outer one's.
 * A type is a scalar, a message of the same package, or one of an earlier package.
 */
export interface PackageTable {
  /** What comes before a message's name in the OpenAPI document, such as `io.k8s.api.core.v1`. */
  readonly prefix: string;
  /** Of the kinds in the package; absent where it has none. */
  readonly apiVersion?: string;
  readonly text: string;
}

/** What a field number of a message means. */
export interface MessageField {
  /** The name in JSON. */
  readonly name: string;
  /** The full name of a message, or a scalar of `wire.ts`. */
  readonly type: string;
  readonly shape: 'list' | 'map' | 'single';
  /** Whether Go's JSON has the field also when it is zero, false or empty. */
  readonly keepZero: boolean;
  /** Whether the fields of the message below belong to this one. */
  readonly inline: boolean;
}

/** Field numbers of one message. */
export type MessageFields = ReadonlyMap<number, MessageField>;

/** Every message by its full name, and the package of every API version. */
export interface MessageTables {
  readonly messages: ReadonlyMap<string, MessageFields>;
  readonly packages: ReadonlyMap<string, string>;
}

/** Reads the generated tables. */
export function readMessageTables(): MessageTables {
  const messages = new Map<string, MessageFields>();
  const packages = new Map<string, string>();
  const names = new Map<string, string>();
  for (const { prefix, apiVersion, text } of MESSAGE_TABLES) {
    if (apiVersion !== undefined) packages.set(apiVersion, prefix);
    const lines = text.trim().replaceAll(/\n +/g, ' ').split('\n').map(splitLine);
    for (const [name] of lines) names.set(name, `${prefix}.${name}`);
    for (const [name, fields] of lines) messages.set(`${prefix}.${name}`, readFields(fields, names));
  }
  return { messages, packages };
}

function splitLine(line: string): readonly [string, string] {
  const [name = '', fields = ''] = line.split(/: ?/, 2);
  return [name, fields];
}

function readFields(text: string, names: ReadonlyMap<string, string>): MessageFields {
  const fields = text === '' ? [] : text.split(', ');
  return new Map(fields.map((field) => readField(field, names)));
}

function readField(text: string, names: ReadonlyMap<string, string>): [number, MessageField] {
  const [label = '', written = ''] = text.split(' ');
  const [, name = '', marks = '', number = ''] = /^([^!^=]+)([!^]*)=(\d+)$/.exec(label) ?? [];
  const [, mapped] = /^map<(.*)>$/.exec(written) ?? [];
  const shape = mapped ? 'map' : written.endsWith('[]') ? 'list' : 'single';
  const type = (mapped ?? written).replace('[]', '');
  const marked = { keepZero: marks.includes('!'), inline: marks.includes('^') };
  return [Number(number), { name, type: names.get(type) ?? type, shape, ...marked }];
}

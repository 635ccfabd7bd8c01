import { listAt, type Json, type JsonObject, stringAt } from '../../objects/json.ts';
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
type MessageFields = ReadonlyMap<number, MessageField>;

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

/** Messages that are not objects in JSON, by their simple name: what they are there, or undefined where that is absent. */
export const FORMS: Readonly<Record<string, (message: JsonObject) => Json | undefined>> = {
  Quantity: (message) => stringAt(message, 'string'),
  IntOrString: (message) => (message['type'] === 1 ? stringAt(message, 'strVal') : numberAt(message, 'intVal')),
  Time: (message) => timeOf(message, 0),
  MicroTime: (message) => timeOf(message, 6),
  FieldsV1: (message) => rawOf(stringAt(message, 'Raw')),
  JSON: (message) => rawOf(stringAt(message, 'raw')) ?? null,
  ExtraValue: (message) => listAt(message, 'items'),
  JSONSchemaPropsOrBool: ({ schema, allows = false }) => schema ?? allows,
  JSONSchemaPropsOrArray: ({ schema, jSONSchemas }) => jSONSchemas ?? schema,
  JSONSchemaPropsOrStringArray: ({ schema, property }) => property ?? schema,
};

/** A time without seconds was never set. Throws `RangeError` for one that RFC 3339 cannot hold. */
function timeOf(message: JsonObject, digits: number): string | undefined {
  if (message['seconds'] === undefined) return;
  const nanos = numberAt(message, 'nanos');
  const moment = new Date(numberAt(message, 'seconds') * 1000).toISOString();
  if (moment.length !== '2026-01-01T00:00:00.000Z'.length || nanos < 0 || nanos >= 1e9) throw new RangeError();
  const fraction = digits === 0 ? '' : `.${String(nanos).padStart(9, '0').slice(0, digits)}`;
  return `${moment.slice(0, -'.000Z'.length)}${fraction}Z`;
}

/** Throws `SyntaxError` for bytes that are not JSON. */
function rawOf(base64: string): Json | undefined {
  if (base64 === '') return;
  const value: Json = JSON.parse(Buffer.from(base64, 'base64').toString('utf8'));
  return value;
}

function numberAt(message: JsonObject, name: string): number {
  const value = message[name];
  return typeof value === 'number' ? value : 0;
}

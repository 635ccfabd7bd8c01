import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { listAt, isJsonArray, isJsonObject, objectAt, type Json, type JsonObject } from '../objects/json.ts';
import type { MessageField, MessageTables } from '../rest/protobuf/read-tables.ts';

/** An object as the protobuf body that Go's typed clients send. */
export function encodeObject(object: JsonObject, message: string, tables: MessageTables): Buffer {
  const { apiVersion, kind, ...fields } = object;
  return envelope(textOf(apiVersion), textOf(kind), encodeMessage(fields, message, tables));
}

/** The four fixed bytes and the message around an object. */
export function envelope(apiVersion: string, kind: string, raw: Buffer): Buffer {
  const type = bytesField(1, Buffer.concat([textField(1, apiVersion), textField(2, kind)]));
  return Buffer.concat([Buffer.from('k8s\0'), type, bytesField(2, raw), textField(3, ''), textField(4, '')]);
}

/** A field with a length. */
export function bytesField(number: number, value: Uint8Array): Buffer {
  return write(number, WireType.LengthDelimited, (writer) => writer.bytes(value));
}

/** A field that holds text. */
export function textField(number: number, value: string): Buffer {
  return write(number, WireType.LengthDelimited, (writer) => writer.string(value));
}

/** A field that holds a number. */
export function numberField(number: number, value: bigint): Buffer {
  return write(number, WireType.Varint, (writer) => writer.int64(value));
}

/** A field that holds a floating-point number. */
export function doubleField(number: number, value: number): Buffer {
  return write(number, WireType.Bit64, (writer) => writer.double(value));
}

/** A number of a packed list. */
export function varint(value: bigint): Buffer {
  return Buffer.from(new BinaryWriter().int64(value).finish());
}

function write(number: number, wire: WireType, value: (writer: BinaryWriter) => BinaryWriter): Buffer {
  return Buffer.from(value(new BinaryWriter().tag(number, wire)).finish());
}

/** One message without an envelope. */
export function encodeMessage(object: JsonObject, message: string, tables: MessageTables): Buffer {
  const fields = tables.messages.get(message);
  if (!fields) throw new Error(`the tables do not have ${message}`);
  const parts = [...fields].flatMap(([number, field]) => encodeField(number, field, object, tables));
  return Buffer.concat(parts);
}

function encodeField(
  number: number,
  field: MessageField,
  object: JsonObject,
  tables: MessageTables,
): readonly Buffer[] {
  if (field.inline) return [bytesField(number, encodeMessage(object, field.type, tables))];
  const value = object[field.name];
  if (value === undefined) return [];
  const single = (item: Json) => encodeValue(number, item, field.type, tables);
  if (field.shape === 'list') return listAt(value).map(single);
  if (field.shape === 'single') return [single(value)];
  return Object.entries(objectAt(value)).map(([key, item]) =>
    bytesField(
      number,
      Buffer.concat([textField(1, key), ...(item === undefined ? [] : [encodeValue(2, item, field.type, tables)])]),
    ),
  );
}

function encodeValue(number: number, value: Json, type: string, tables: MessageTables): Buffer {
  switch (type) {
    case 'string':
      return textField(number, textOf(value));
    case 'bytes':
      return bytesField(number, Buffer.from(textOf(value), 'base64'));
    case 'bool':
      return numberField(number, value === true ? 1n : 0n);
    case 'int32':
    case 'int64':
      return numberField(number, BigInt(Number(value)));
    case 'double':
      return doubleField(number, Number(value));
    default:
      return bytesField(number, encodeMessage(messageOf(value, type), type, tables));
  }
}

/** The message behind a value that is not an object in JSON. */
function messageOf(value: Json, type: string): JsonObject {
  const name = type.slice(type.lastIndexOf('.') + 1);
  switch (name) {
    case 'Quantity':
      return { string: value };
    case 'IntOrString':
      return typeof value === 'string' ? { type: 1, strVal: value } : { type: 0, intVal: value };
    case 'Time':
    case 'MicroTime':
      return timeMessage(textOf(value));
    case 'FieldsV1':
      return { Raw: Buffer.from(JSON.stringify(value)).toString('base64') };
    case 'JSON':
      return { raw: Buffer.from(JSON.stringify(value)).toString('base64') };
    case 'ExtraValue':
      return { items: value };
    case 'JSONSchemaPropsOrBool':
      return isJsonObject(value) ? { allows: true, schema: value } : { allows: value };
    case 'JSONSchemaPropsOrArray':
      return isJsonArray(value) ? { jSONSchemas: value } : { schema: value };
    case 'JSONSchemaPropsOrStringArray':
      return isJsonArray(value) ? { property: value } : { schema: value };
    default:
      return objectAt(value);
  }
}

function timeMessage(text: string): JsonObject {
  const [whole = '', fraction = ''] = text.replace('Z', '').split('.');
  return { seconds: Date.parse(`${whole}Z`) / 1000, nanos: Number(fraction.padEnd(9, '0')) };
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

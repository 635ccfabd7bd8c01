import { arrayAt, stringAt, type Json, type JsonObject } from '../../objects/json.ts';

/** Messages that are not objects in JSON, by their simple name: what they are there, or undefined where that is absent. */
export const FORMS: Readonly<Record<string, (message: JsonObject) => Json | undefined>> = {
  Quantity: (message) => stringAt(message, 'string'),
  IntOrString: (message) => (message['type'] === 1 ? stringAt(message, 'strVal') : numberAt(message, 'intVal')),
  Time: (message) => timeOf(message, 0),
  MicroTime: (message) => timeOf(message, 6),
  FieldsV1: (message) => rawOf(stringAt(message, 'Raw')),
  JSON: (message) => rawOf(stringAt(message, 'raw')) ?? null,
  ExtraValue: (message) => arrayAt(message, 'items'),
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

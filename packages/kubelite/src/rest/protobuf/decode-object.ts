import type { JsonObject } from '../../objects/json.ts';
import { badRequest } from '../../objects/statuses.ts';
import { decodeMessage } from './decode-message.ts';
import { readMessageTable, type MessageTable } from './read-fields.ts';
import { readWire } from './wire.ts';

/** The media type in which Go clients send the built-in kinds. */
export const PROTOBUF_TYPE = 'application/vnd.kubernetes.protobuf';

const MAGIC = Buffer.from('k8s\0');
// Two kinds share the name; the newer group's is told apart in the table.
const RENAMED: Readonly<Record<string, string>> = { 'events.k8s.io/v1/Event': 'NewEvent' };

/** Reads objects that come as protobuf. Answers always go out as JSON, which the same clients take. */
export interface ProtobufReader {
  /** The object in the bytes, with its `apiVersion` and `kind`. Throws 400. */
  read(bytes: Buffer): JsonObject;
}

/** A reader; the tables are read when the first message comes. */
export function protobufReader(): ProtobufReader {
  let table: MessageTable | undefined;
  return {
    read(bytes) {
      const { apiVersion, kind, raw } = openEnvelope(bytes);
      table ??= readMessageTable();
      const message = RENAMED[`${apiVersion}/${kind}`] ?? kind;
      return { apiVersion, kind, ...decodeMessage(raw, message, table) };
    },
  };
}

/** After four fixed bytes comes a message: 1 says what it is (1 apiVersion, 2 kind), 2 holds the object. */
function openEnvelope(bytes: Buffer): { readonly apiVersion: string; readonly kind: string; readonly raw: Buffer } {
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC))
    throw badRequest('the body of the request is not Kubernetes protobuf');
  const envelope = partsOf(bytes.subarray(MAGIC.length));
  const type = partsOf(envelope.get(1) ?? Buffer.alloc(0));
  const text = (number: number) => (type.get(number) ?? Buffer.alloc(0)).toString('utf8');
  return { apiVersion: text(1), kind: text(2), raw: envelope.get(2) ?? Buffer.alloc(0) };
}

function partsOf(bytes: Buffer): ReadonlyMap<number, Buffer> {
  const parts = new Map<number, Buffer>();
  for (const { number, value } of readWire(bytes)) if (typeof value !== 'bigint') parts.set(number, value);
  return parts;
}

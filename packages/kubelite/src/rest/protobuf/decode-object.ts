import { WireType } from '@bufbuild/protobuf/wire';
import type { JsonObject } from '../../objects/json.ts';
import { badRequest } from '../../objects/status-error.ts';
import { decodeMessage, fieldsIn, wellFormed } from './decode-message.ts';
import { readMessageTables, type MessageTables } from './read-tables.ts';

/** The media type in which Go clients send the built-in kinds. */
export const PROTOBUF_TYPE = 'application/vnd.kubernetes.protobuf';

const MAGIC = Buffer.from('k8s\0');
const DELETE_OPTIONS = 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions';

/** Reads objects that come as protobuf. Answers always go out as JSON, which the same clients take. */
export interface ProtobufReader {
  /** The object in the bytes, with its `apiVersion` and `kind`. Throws 400. */
  read(bytes: Buffer): JsonObject;
}

/** A reader; the tables are read when the first message comes. */
export function protobufReader(): ProtobufReader {
  let tables: MessageTables | undefined;
  return {
    read(bytes) {
      const { apiVersion, kind, raw } = openEnvelope(bytes);
      tables ??= readMessageTables();
      return { apiVersion, kind, ...decodeMessage(raw, messageOf(apiVersion, kind, tables), tables) };
    },
  };
}

/** Every API version has its own name for the same DeleteOptions. */
function messageOf(apiVersion: string, kind: string, { packages, messages }: MessageTables): string {
  const name = kind === 'DeleteOptions' ? DELETE_OPTIONS : `${packages.get(apiVersion) ?? ''}.${kind}`;
  if (messages.has(name)) return name;
  throw badRequest(`the embedded API does not read "${kind}" of "${apiVersion}" as protobuf: send it as JSON`);
}

interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Buffer;
}

/** After four fixed bytes comes a message: 1 says what it is (1 apiVersion, 2 kind), 2 holds the object, 3 and 4 its encoding. */
function openEnvelope(bytes: Buffer): Envelope {
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC))
    throw badRequest('the body of the request is not Kubernetes protobuf');
  const envelope = partsOf(bytes.subarray(MAGIC.length), 4);
  const type = partsOf(envelope.get(1) ?? Buffer.alloc(0), 2);
  const text = (number: number) => (type.get(number) ?? Buffer.alloc(0)).toString('utf8');
  if ((envelope.get(3) ?? '').length > 0 || (envelope.get(4) ?? '').length > 0)
    throw badRequest('the object in the protobuf body has a separate content type or encoding');
  return { apiVersion: text(1), kind: text(2), raw: envelope.get(2) ?? Buffer.alloc(0) };
}

function partsOf(bytes: Uint8Array, highest: number): ReadonlyMap<number, Buffer> {
  const parts = new Map<number, Buffer>();
  for (const { number, wire, reader } of fieldsIn(bytes)) {
    if (wire !== WireType.LengthDelimited || number > highest || parts.has(number))
      throw badRequest(`field number ${number} of the envelope of the protobuf body is unknown or repeated`);
    const value = wellFormed(() => reader.bytes());
    parts.set(number, Buffer.from(value.buffer, value.byteOffset, value.byteLength));
  }
  return parts;
}

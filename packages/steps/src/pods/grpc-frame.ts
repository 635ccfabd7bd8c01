const PREFIX_BYTES = 5;
const COMPRESSED_AT = 0;
const LENGTH_AT = 1;

/** A message as gRPC sends it: a flag for compression, which we never use, the length, the message. */
export function frameMessage(message: Uint8Array): Uint8Array {
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32BE(message.length, LENGTH_AT);
  return Buffer.concat([prefix, message]);
}

/** The one message of an answer; `undefined` if that is not what these bytes are. */
export function unframeMessage(answer: Buffer): Uint8Array | undefined {
  if (answer.length < PREFIX_BYTES || answer[COMPRESSED_AT] !== 0) return undefined;
  const message = answer.subarray(PREFIX_BYTES);
  return message.length === answer.readUInt32BE(LENGTH_AT) ? message : undefined;
}

import { GRPC_STATUS, GrpcFailure, NotGrpc } from './failure.ts';

const PREFIX_BYTES = 5;
const COMPRESSED_AT = 0;
const LENGTH_AT = 1;
/** The limit that containerd and the clients written in Go have as well. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/** A message as gRPC sends it: a flag for compression, which we never use, the length, the message. */
export function frameMessage(message: Uint8Array): Uint8Array {
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32BE(message.length, LENGTH_AT);
  return Buffer.concat([prefix, message]);
}

/** Cuts the bytes of an answer into its messages, however they arrive. */
export interface FrameReader {
  /** The messages that these bytes complete. */
  read(chunk: Buffer): readonly Buffer[];
  /** Throws if the answer ended in the middle of a message. */
  end(): void;
}

/** A reader for one answer. Throws `NotGrpc` for what no gRPC server sends. */
export function frameReader(): FrameReader {
  let chunks: Buffer[] = [];
  let held = 0;
  let needed = PREFIX_BYTES;

  function join(): Buffer {
    const [only, ...others] = chunks;
    const bytes = only !== undefined && others.length === 0 ? only : Buffer.concat(chunks);
    chunks = [bytes];
    return bytes;
  }

  return {
    read(chunk) {
      chunks.push(chunk);
      held += chunk.length;
      const messages: Buffer[] = [];
      while (held >= needed) {
        let bytes = join();
        needed = PREFIX_BYTES + lengthIn(bytes);
        if (held < needed) break;
        messages.push(bytes.subarray(PREFIX_BYTES, needed));
        bytes = bytes.subarray(needed);
        [chunks, held, needed] = [[bytes], bytes.length, PREFIX_BYTES];
      }
      return messages;
    },
    end() {
      if (held > 0) throw new NotGrpc('it sent an incomplete message');
    },
  };
}

function lengthIn(prefix: Buffer): number {
  if (prefix[COMPRESSED_AT] !== 0) throw new NotGrpc('it sent a compressed message, which was not asked for');
  const length = prefix.readUInt32BE(LENGTH_AT);
  if (length <= MAX_MESSAGE_BYTES) return length;
  const message = `its answer has ${length} bytes, and at most ${MAX_MESSAGE_BYTES} are accepted`;
  throw new GrpcFailure(GRPC_STATUS.RESOURCE_EXHAUSTED, message);
}

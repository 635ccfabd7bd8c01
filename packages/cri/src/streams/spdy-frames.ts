import { constants, deflateRawSync } from 'node:zlib';

/** A frame of SPDY/3.1 that was received. https://www.chromium.org/spdy/spdy-protocol/spdy-protocol-draft3-1/ */
export type SpdyFrame =
  | { readonly kind: 'data'; readonly stream: number; readonly isLast: boolean; readonly payload: Buffer }
  | { readonly kind: 'reset'; readonly stream: number }
  /** It is sent back as it is. */
  | { readonly kind: 'ping'; readonly bytes: Buffer }
  | { readonly kind: 'other' };

const HEADER_BYTES = 8;
const CONTROL = 0x8003;
const CONTROL_BIT = 0x80;
const SYN_STREAM = 1;
const RST_STREAM = 3;
const PING = 6;
const LAST = 1;
/** Before the first block of headers: a stream of zlib without a dictionary, which receivers must accept. */
const ZLIB_START = Buffer.from([0x78, 0x9c]);

/** A frame that opens a stream. The headers of all streams are one compressed stream, which the first one begins. */
export function openingFrame(stream: number, headers: Readonly<Record<string, string>>, isFirst: boolean): Buffer {
  const entries = Object.entries(headers);
  const block = Buffer.concat([
    uint32(entries.length),
    ...entries.flat().flatMap((text) => [uint32(text.length), Buffer.from(text)]),
  ]);
  const compressed = deflateRawSync(block, { finishFlush: constants.Z_SYNC_FLUSH });
  const [noParent, noPriority] = [uint32(0), Buffer.alloc(2)];
  const body = [uint32(stream), noParent, noPriority, ...(isFirst ? [ZLIB_START] : []), compressed];
  return frame(Buffer.from([CONTROL >> 8, CONTROL & 0xff, 0, SYN_STREAM]), 0, Buffer.concat(body));
}

/** A frame with data for a stream. The last one may be empty. */
export function dataFrame(stream: number, payload: Uint8Array, isLast: boolean): Buffer {
  return frame(uint32(stream), isLast ? LAST : 0, payload);
}

function frame(start: Buffer, flags: number, payload: Uint8Array): Buffer {
  const length = uint32(payload.length);
  length[0] = flags;
  return Buffer.concat([start, length, payload]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Splits received bytes into frames. What is left of the last one waits for the next bytes. */
export function frameSplitter(): (chunk: Buffer) => readonly SpdyFrame[] {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const frames: SpdyFrame[] = [];
    while (rest.length >= HEADER_BYTES) {
      const end = HEADER_BYTES + rest.readUIntBE(5, 3);
      if (rest.length < end) break;
      frames.push(readFrame(rest.subarray(0, end)));
      rest = rest.subarray(end);
    }
    return frames;
  };
}

function readFrame(bytes: Buffer): SpdyFrame {
  const isData = ((bytes[0] ?? 0) & CONTROL_BIT) === 0;
  const payload = bytes.subarray(HEADER_BYTES);
  if (isData) return { kind: 'data', stream: bytes.readUInt32BE(0), isLast: ((bytes[4] ?? 0) & LAST) !== 0, payload };
  const type = bytes.readUInt16BE(2);
  if (type === PING) return { kind: 'ping', bytes };
  return type === RST_STREAM && payload.length >= 4
    ? { kind: 'reset', stream: payload.readUInt32BE(0) }
    : { kind: 'other' };
}

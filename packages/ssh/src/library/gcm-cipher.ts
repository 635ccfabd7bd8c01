import { type CipherGCMTypes, createCipheriv, createSecretKey, randomFillSync } from 'node:crypto';

const LENGTH_BYTES = 4;
const BLOCK_BYTES = 16;
const LEAST_PADDING = 4;
/** The counter is what follows the first four bytes of the twelve. */
const COUNTER_START = 4;
const PADDING_POOL_BYTES = 4096;
const LARGEST_PADDING = BLOCK_BYTES + LEAST_PADDING;
/** Packets of a push are a little larger than 32 KiB. */
const SCRATCH_BYTES = 33 * 1024;

/** Memory to make packets in. All connections can share it: each packet is made and encrypted in one go. */
export interface GcmWorkspace {
  readonly scratch: Buffer;
  /** So many random bytes, good until the next are asked for. */
  padding(bytes: number): Buffer;
}

/** What the encryption of a connection begins with. */
export interface GcmStart {
  readonly algorithm: CipherGCMTypes;
  readonly key: Buffer;
  readonly iv: Buffer;
  readonly sequence: number;
  readonly workspace: GcmWorkspace;
  /** `sent` is told when nobody needs the bytes any more. */
  write(bytes: Uint8Array, sent?: () => void): void;
}

/** Turns packets into what goes over the wire, in the shape that the library expects of such a thing. */
export interface GcmCipher {
  outSeqno: number;
  allocPacket(payloadBytes: number): Buffer;
  encrypt(packet: Buffer): void;
  free(): void;
}

/** A workspace of its own. */
export function gcmWorkspace(): GcmWorkspace {
  return { scratch: Buffer.allocUnsafeSlow(SCRATCH_BYTES), padding: paddingPool() };
}

/**
 * AES-GCM as of RFC 5647. The key is made once and not for each packet, one buffer serves for all plain packets, and
 * random padding is fetched in advance: half of the time that the library's own one takes.
 */
export function gcmCipher(start: GcmStart): GcmCipher {
  const { algorithm, key, iv, sequence, workspace } = start;
  const secret = createSecretKey(key);
  const counter = Buffer.from(iv);
  let dead = false;
  return {
    outSeqno: sequence,
    allocPacket(payloadBytes) {
      const padded = paddingFor(payloadBytes);
      const size = LENGTH_BYTES + 1 + payloadBytes + padded;
      // A packet that was asked for is encrypted before the next one is: while keys are exchanged, none is asked for.
      const packet = size > SCRATCH_BYTES ? Buffer.allocUnsafe(size) : workspace.scratch.subarray(0, size);
      packet.writeUInt32BE(size - LENGTH_BYTES, 0);
      packet[LENGTH_BYTES] = padded;
      packet.set(workspace.padding(padded), size - padded);
      return packet;
    },
    encrypt(packet) {
      if (dead) return;
      const cipher = createCipheriv(algorithm, secret, counter);
      const length = Buffer.from(packet.subarray(0, LENGTH_BYTES));
      cipher.setAAD(length);
      const body = cipher.update(packet.subarray(LENGTH_BYTES));
      cipher.final();
      start.write(length);
      start.write(body, () => release(body));
      start.write(cipher.getAuthTag());
      increment(counter);
      this.outSeqno = (this.outSeqno + 1) >>> 0;
    },
    free() {
      dead = true;
    },
  };
}

/**
 * Gives the memory back at once. It is not on the engine's own heap, and to find out that nobody needs it any more, that
 * one would look through everything several times for each machine that an executable is sent to.
 */
function release({ buffer }: Buffer): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}

function paddingFor(payloadBytes: number): number {
  const rest = BLOCK_BYTES - ((1 + payloadBytes) % BLOCK_BYTES);
  return rest < LEAST_PADDING ? rest + BLOCK_BYTES : rest;
}

function paddingPool(): (bytes: number) => Buffer {
  const pool = Buffer.allocUnsafeSlow(PADDING_POOL_BYTES);
  let used = PADDING_POOL_BYTES;
  return (bytes) => {
    if (used + LARGEST_PADDING > PADDING_POOL_BYTES) {
      randomFillSync(pool);
      used = 0;
    }
    used += bytes;
    return pool.subarray(used - bytes, used);
  };
}

function increment(counter: Buffer): void {
  for (let index = counter.length - 1; index >= COUNTER_START; index -= 1) {
    const value = ((counter[index] ?? 0) + 1) & 0xff;
    counter[index] = value;
    if (value !== 0) return;
  }
}

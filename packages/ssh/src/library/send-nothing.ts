import type { Client } from 'ssh2';
import { member } from './member.ts';

const IGNORE = 2;
/** The kind of the message, and the length of a text that is empty. */
const NOTHING = Buffer.from([IGNORE, 0, 0, 0, 0]);

/** What the library makes packets with. */
interface Packets {
  readonly allocStart: number;
  alloc(payloadBytes: number): Buffer;
  finalize(packet: Buffer): Buffer;
}

/**
 * Sends a packet that nobody answers. The library has no method for that, so its own parts are used; if they do not look
 * as they should, or keys are being exchanged, nothing is sent.
 */
export function sendNothing(client: Client): void {
  const protocol = member(client, '_protocol');
  const packets = member(member(protocol, '_packetRW'), 'write');
  const cipher = member(protocol, '_cipher');
  if (!isPackets(packets) || !isCipher(cipher) || member(protocol, '_kexinit') !== undefined) return;
  const packet = packets.alloc(NOTHING.length);
  packet.set(NOTHING, packets.allocStart);
  cipher.encrypt(packets.finalize(packet));
}

function isPackets(value: unknown): value is Packets {
  const methods = [member(value, 'alloc'), member(value, 'finalize')];
  return methods.every((method) => typeof method === 'function') && typeof member(value, 'allocStart') === 'number';
}

function isCipher(value: unknown): value is { encrypt(packet: Buffer): void } {
  return typeof member(value, 'encrypt') === 'function';
}

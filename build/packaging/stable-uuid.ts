import { createHash } from 'node:crypto';

/** A UUID that the same words always give, as version 8 of RFC 9562 leaves to everybody to make. */
export function stableUuid(...words: readonly string[]): string {
  const bytes = createHash('sha256')
    .update(['fenestra', ...words].join('\0'))
    .digest()
    .subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

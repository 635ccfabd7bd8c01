import { createDecipheriv, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { gcmCipher, gcmWorkspace } from './gcm-cipher.ts';

const TAG_BYTES = 16;

test.each(['aes-128-gcm', 'aes-256-gcm'] as const)(
  '%s packets of any size can be opened by the other side',
  (algorithm) => {
    const key = randomBytes(algorithm === 'aes-128-gcm' ? 16 : 32);
    // The counter is about to run over into the next byte.
    const iv = Buffer.from('01020304fffffffffffffffd', 'hex');
    const counters = [
      'fffffffffffffffd',
      'fffffffffffffffe',
      'ffffffffffffffff',
      '0000000000000000',
      '0000000000000001',
    ];
    const wire: Uint8Array[] = [];
    const workspace = gcmWorkspace();
    const start = { algorithm, key, iv, sequence: 0xff_ff_ff_fe, workspace };
    const cipher = gcmCipher({ ...start, write: (bytes) => void wire.push(bytes) });
    const other = gcmCipher({ ...start, write: () => undefined });
    const payloads = [1, 11, 12, 32 * 1024 + 9, 40_000].map((size) => randomBytes(size));
    for (const payload of payloads) {
      const packet = cipher.allocPacket(payload.length);
      packet.set(payload, 5);
      cipher.encrypt(packet);
      // What is on its way is not touched by another connection's packet in the same workspace.
      other.encrypt(other.allocPacket(payload.length).fill(0, 5));
    }
    let bytes = Buffer.concat(wire);
    for (const [index, payload] of payloads.entries()) {
      const size = bytes.readUInt32BE(0);
      expect(size % 16).toBe(0);
      const nonce = Buffer.from(`01020304${counters[index]}`, 'hex');
      const opener = createDecipheriv(algorithm, key, nonce).setAAD(bytes.subarray(0, 4));
      opener.setAuthTag(bytes.subarray(4 + size, 4 + size + TAG_BYTES));
      const plain = Buffer.concat([opener.update(bytes.subarray(4, 4 + size)), opener.final()]);
      const padding = plain[0] ?? 0;
      expect(padding).toBeGreaterThanOrEqual(4);
      expect(plain.subarray(1, plain.length - padding).equals(payload)).toBe(true);
      bytes = bytes.subarray(4 + size + TAG_BYTES);
    }
    expect(bytes.length).toBe(0);
    expect(cipher.outSeqno).toBe(3);
  },
);

test('nothing is sent once it is freed', () => {
  const wire: Uint8Array[] = [];
  const start = { algorithm: 'aes-128-gcm' as const, key: randomBytes(16), iv: randomBytes(12), sequence: 0 };
  const workspace = gcmWorkspace();
  const cipher = gcmCipher({ ...start, workspace, write: (bytes) => void wire.push(bytes) });
  cipher.free();
  cipher.encrypt(cipher.allocPacket(10));
  expect(wire).toEqual([]);
});

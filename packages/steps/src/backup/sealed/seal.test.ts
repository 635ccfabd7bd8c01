import { OperatorError } from '@fenestra/kernel';
import { assert, asyncProperty, integer, nat, pre, uint8Array } from 'fast-check';
import { expect, test } from 'vitest';
import { isSealed, SEAL_HEADER_BYTES } from './header.ts';
import { seal, unseal } from './seal.ts';

const CHEAP = { logN: 2, r: 8, p: 1 };
const CHUNK = 64 * 1024;

async function* inPieces(bytes: Buffer, length = bytes.length + 1): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

async function gather(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const gathered: Uint8Array[] = [];
  for await (const piece of pieces) gathered.push(piece);
  return Buffer.concat(gathered);
}

async function sealed(plain: Buffer): Promise<Buffer> {
  return gather(seal(inPieces(plain), 'open sesame', CHEAP));
}

async function refusal(bytes: Buffer, passphrase = 'open sesame'): Promise<string> {
  const failure: unknown = await gather(unseal(inPieces(bytes), passphrase)).catch((error: unknown) => error);
  return failure instanceof OperatorError ? failure.code : 'not refused';
}

test.each([0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK])('%i bytes come back as they were', async (length) => {
  const plain = Buffer.alloc(length, 'abcdefg');
  const file = await sealed(plain);
  expect(isSealed(file)).toBe(true);
  expect(await gather(unseal(inPieces(file, 1000), 'open sesame'))).toEqual(plain);
});

test('any bytes come back, however the stream is cut into pieces', async () => {
  const bytes = uint8Array({ maxLength: 300_000 }).map((array) => Buffer.from(array));
  await assert(
    asyncProperty(bytes, integer({ min: 1, max: 100_000 }), async (plain, length) => {
      const file = await gather(seal(inPieces(plain, length), 'p', CHEAP));
      expect((await gather(unseal(inPieces(file, length), 'p'))).equals(plain)).toBe(true);
    }),
    { numRuns: 30 },
  );
});

test('a wrong passphrase is distinguished from a damaged file, and nothing but the header is read for it', async () => {
  const file = await sealed(Buffer.alloc(3 * CHUNK));
  expect(await refusal(file, 'open sesam')).toBe('PASSPHRASE_WRONG');
  let read = 0;
  const counted = async function* (): AsyncGenerator<Buffer> {
    for await (const piece of inPieces(file, SEAL_HEADER_BYTES + 1)) {
      read += piece.length;
      yield piece;
    }
  };
  await expect(gather(unseal(counted(), 'wrong'))).rejects.toThrow(OperatorError);
  expect(read).toBe(SEAL_HEADER_BYTES + 1);
});

test('any flipped bit anywhere is refused', async () => {
  const file = await sealed(Buffer.alloc(2 * CHUNK + 10, 'x'));
  await assert(
    asyncProperty(nat(file.length - 1), nat(7), async (at, bit) => {
      // The cost of the key is in here; a flip may ask for a lot of work before it is refused.
      pre(at < 9 || at > 11);
      const flipped = Buffer.from(file);
      flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << bit), at);
      expect(['BACKUP_INVALID', 'PASSPHRASE_WRONG']).toContain(await refusal(flipped));
    }),
  );
});

test('any truncation is refused, also where a chunk ends', async () => {
  const file = await sealed(Buffer.alloc(2 * CHUNK, 'x'));
  const chunk = CHUNK + 16;
  for (const end of [0, 7, SEAL_HEADER_BYTES, SEAL_HEADER_BYTES + chunk, file.length - 1]) {
    expect(await refusal(file.subarray(0, end))).toBe('BACKUP_INVALID');
  }
  await assert(
    asyncProperty(nat(file.length - 1), async (end) => {
      expect(await refusal(file.subarray(0, end))).toBe('BACKUP_INVALID');
    }),
  );
});

test('chunks that changed places, and bytes that were added, are refused', async () => {
  const file = await sealed(Buffer.alloc(3 * CHUNK, 'x'));
  const [first, second] = [SEAL_HEADER_BYTES, SEAL_HEADER_BYTES + CHUNK + 16];
  const third = second + CHUNK + 16;
  const parts = [
    file.subarray(0, first),
    file.subarray(second, third),
    file.subarray(first, second),
    file.subarray(third),
  ];
  expect(await refusal(Buffer.concat(parts))).toBe('BACKUP_INVALID');
  expect(await refusal(Buffer.concat([file, Buffer.from('x')]))).toBe('BACKUP_INVALID');
});

test('a header that asks for an absurd amount of work is refused at once', async () => {
  const file = await sealed(Buffer.from('x'));
  for (const [at, value] of [
    [9, 40],
    [10, 255],
    [11, 255],
  ] as const) {
    const forged = Buffer.from(file);
    forged.writeUInt8(value, at);
    expect(await refusal(forged)).toBe('BACKUP_INVALID');
  }
});

test('a real key costs a real amount of work, and opens the file', async () => {
  const file = await gather(seal(inPieces(Buffer.from('x')), 'open sesame'));
  expect(file.readUInt8(9)).toBeGreaterThanOrEqual(15);
  expect((await gather(unseal(inPieces(file), 'open sesame'))).toString()).toBe('x');
});

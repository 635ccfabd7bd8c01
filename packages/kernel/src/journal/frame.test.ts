import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeFrames, encodeFrame } from './frame.ts';

const texts = fc.array(fc.json(), { minLength: 1, maxLength: 8 });
const encodeAll = (all: readonly string[]): Buffer => Buffer.concat(all.map(encodeFrame));

test('decodeFrames gives back what encodeFrame wrote', () => {
  fc.assert(
    fc.property(texts, (all) => {
      const bytes = encodeAll(all);
      expect(decodeFrames(bytes)).toEqual({ state: 'whole', texts: all, validBytes: bytes.length });
    }),
  );
});

test('a file cut off anywhere loses its last record at most and is never called corrupt', () => {
  fc.assert(
    fc.property(texts, fc.nat(), (all, cut) => {
      const kept = encodeAll(all.slice(0, -1));
      const last = encodeFrame(all.at(-1) ?? '');
      const length = cut % last.length;
      const decoded = decodeFrames(Buffer.concat([kept, last.subarray(0, length)]));
      expect(decoded).toEqual({
        state: length === 0 ? 'whole' : 'torn',
        texts: all.slice(0, -1),
        validBytes: kept.length,
      });
    }),
  );
});

test('sectors that were never written read as zeros and count as torn', () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 64 }), (all, zeros) => {
      const last = encodeFrame(all.at(-1) ?? '');
      last.fill(0, Math.max(0, last.length - zeros));
      expect(decodeFrames(Buffer.concat([encodeAll(all.slice(0, -1)), last])).state).toBe('torn');
    }),
  );
});

test('a byte changed before the last record is corrupt, even where it makes the length point past the end', () => {
  fc.assert(
    fc.property(texts, fc.json(), fc.nat(), fc.integer({ min: 1, max: 255 }), (all, last, where, change) => {
      const bytes = Buffer.concat([encodeAll(all), encodeFrame(last)]);
      const at = where % encodeAll(all).length;
      bytes[at] = (bytes[at] ?? 0) ^ change;
      expect(decodeFrames(bytes).state).toBe('corrupt');
    }),
  );
});

test('a whole last record with a changed text is corrupt, not torn', () => {
  const bytes = encodeFrame('{"type":"step-done"}');
  bytes[20] = 'X'.charCodeAt(0);
  expect(decodeFrames(bytes).state).toBe('corrupt');
});

test('a changed end of line before the last record is corrupt', () => {
  const bytes = Buffer.concat([encodeFrame('"first"'), encodeFrame('"last"')]);
  bytes[encodeFrame('"first"').length - 1] = 0;
  expect(decodeFrames(bytes)).toMatchObject({ state: 'corrupt', validBytes: 0 });
});

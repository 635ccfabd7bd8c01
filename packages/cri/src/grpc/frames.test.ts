import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { frameMessage, frameReader } from './frames.ts';

const MEGABYTES_16 = 16 * 1024 * 1024;

test('messages are read back however their bytes are cut into pieces', () => {
  const messages = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 5 });
  fc.assert(
    fc.property(messages, fc.array(fc.nat(20), { minLength: 1 }), (sent, cuts) => {
      const bytes = Buffer.concat(sent.map(frameMessage));
      const reader = frameReader();
      const read: Buffer[] = [];
      let at = 0;
      for (const size of cuts) {
        read.push(...reader.read(bytes.subarray(at, at + size)));
        at += size;
      }
      read.push(...reader.read(bytes.subarray(at)));
      reader.end();
      expect(read.map((message) => [...message])).toEqual(sent.map((message) => [...message]));
    }),
  );
});

test('an answer that ends in the middle of a message is refused', () => {
  const bytes = Buffer.from(frameMessage(Buffer.from('text')));
  for (const end of [1, 4, 5, 8]) {
    const reader = frameReader();
    expect(reader.read(bytes.subarray(0, end))).toEqual([]);
    expect(() => reader.end()).toThrow(expect.objectContaining({ name: 'NotGrpc' }));
  }
});

test('a compressed message is refused, since none was asked for', () => {
  const bytes = Buffer.from(frameMessage(Buffer.from('text')));
  bytes[0] = 1;
  expect(() => frameReader().read(bytes)).toThrow(expect.objectContaining({ name: 'NotGrpc' }));
});

test('a message of 16 MiB is accepted, and a larger one is refused before it has arrived', () => {
  const prefix = Buffer.from(frameMessage(new Uint8Array()));
  prefix.writeUInt32BE(MEGABYTES_16, 1);
  const reader = frameReader();
  expect(reader.read(prefix)).toEqual([]);
  expect(reader.read(Buffer.alloc(MEGABYTES_16))[0]).toHaveLength(MEGABYTES_16);
  prefix.writeUInt32BE(MEGABYTES_16 + 1, 1);
  expect(() => frameReader().read(prefix)).toThrow(expect.objectContaining({ name: 'GrpcFailure', status: 8 }));
});

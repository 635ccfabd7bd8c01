import { createInflate } from 'node:zlib';
import { expect, test } from 'vitest';
import { dataFrame, frameSplitter, openingFrame } from './spdy-frames.ts';

const FRAME_BYTES = 8;
const STREAM_BYTES = 10;

test('the headers of all streams are one compressed stream', async () => {
  const inflate = createInflate();
  const frames = [openingFrame(1, { streamtype: 'error' }, true), openingFrame(3, { streamtype: 'stdout' }, false)];
  for (const frame of frames) inflate.write(frame.subarray(FRAME_BYTES + STREAM_BYTES));
  let text = '';
  for await (const chunk of inflate) {
    text += String(chunk);
    if (text.includes('stdout')) break;
  }
  expect(text).toBe('\0\0\0\x01\0\0\0\nstreamtype\0\0\0\x05error\0\0\0\x01\0\0\0\nstreamtype\0\0\0\x06stdout');
});

test('a frame says its kind, its stream and its length', () => {
  const opening = openingFrame(5, { streamtype: 'stdin' }, true);
  expect(opening.readUInt32BE(0)).toBe(0x80030001);
  expect(opening.readUInt32BE(4)).toBe(opening.length - FRAME_BYTES);
  expect(opening.readUInt32BE(8)).toBe(5);
  expect(dataFrame(3, Buffer.from('ab'), true).toString('hex')).toBe('00000003010000026162');
});

test('frames are found however the bytes arrive', () => {
  const ping = Buffer.from('8003000600000004000000ff', 'hex');
  const reset = Buffer.from('80030003000000080000000300000001', 'hex');
  const settings = Buffer.from('8003000400000000', 'hex');
  const bytes = Buffer.concat([
    dataFrame(3, Buffer.from('out'), false),
    ping,
    settings,
    reset,
    dataFrame(1, Buffer.of(), true),
  ]);
  const frames = [
    { kind: 'data', stream: 3, isLast: false, payload: Buffer.from('out') },
    { kind: 'ping', bytes: ping },
    { kind: 'other' },
    { kind: 'reset', stream: 3 },
    { kind: 'data', stream: 1, isLast: true, payload: Buffer.of() },
  ];
  expect(frameSplitter()(bytes)).toEqual(frames);
  const split = frameSplitter();
  expect([...bytes].flatMap((byte) => split(Buffer.of(byte)))).toEqual(frames);
});

import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openSharedReading } from './shared-reading.ts';

const folder = mkdtempSync(join(tmpdir(), 'shared-reading-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** More than what is kept of a file. */
const content = randomBytes(20 * 1024 * 1024 + 7);
const path = join(folder, 'file');
writeFileSync(path, content);

test('readers that are far apart, in step, or done early, each get the whole', async () => {
  const reading = openSharedReading();
  const readers = Array.from({ length: 80 }, (_, index) => ({
    bytes: reading.bytes(path, content.length),
    turns: index % 7 === 0 ? 1 : 1 + (index % 5),
    read: 0,
    isDone: false,
  }));
  await readers[1]?.bytes.return(undefined);
  while (readers.some(({ isDone }) => !isDone)) {
    for (const reader of readers.filter(({ isDone }) => !isDone)) {
      for (let turn = 0; turn < reader.turns && !reader.isDone; turn += 1) {
        const { value, done } = await reader.bytes.next();
        reader.isDone = done === true;
        if (done === true) break;
        expect(content.subarray(reader.read, reader.read + value.length).equals(value)).toBe(true);
        reader.read += value.length;
      }
    }
  }
  expect(readers.filter(({ read }, index) => index !== 1 && read !== content.length)).toEqual([]);
});

test('a piece stays as it is while it is held, however much is read by others', async () => {
  const reading = openSharedReading();
  const slow = Array.from({ length: 70 }, () => reading.bytes(path, content.length));
  const held: { piece: Uint8Array; from: number }[] = [];
  for (const [index, reader] of slow.entries()) {
    let from = 0;
    let piece = (await reader.next()).value ?? new Uint8Array();
    for (let step = 0; step < index; step += 1) {
      from += piece.length;
      piece = (await reader.next()).value ?? new Uint8Array();
    }
    held.push({ piece, from });
  }
  for await (const piece of reading.bytes(path, content.length)) expect(piece.length).toBeGreaterThan(0);
  for (const { piece, from } of held) expect(content.subarray(from, from + piece.length).equals(piece)).toBe(true);
});

test('no more than announced, less if there is less, and again as it is by then', async () => {
  const small = join(folder, 'small');
  writeFileSync(small, 'twelve bytes');
  const reading = openSharedReading();
  const text = async (size: number): Promise<string> => {
    const pieces: Uint8Array[] = [];
    for await (const piece of reading.bytes(small, size)) pieces.push(Buffer.from(piece));
    return Buffer.concat(pieces).toString();
  };
  expect(await text(6)).toBe('twelve');
  expect(await text(99)).toBe('twelve bytes');
  expect(await text(0)).toBe('');
  expect(await Promise.all([text(0), text(6), text(12)])).toEqual(['', 'twelve', 'twelve bytes']);
  appendFileSync(small, ', and more');
  expect(await text(99)).toBe('twelve bytes, and more');
});
